"""Sentence analogies made from words and sentences; ``build.py`` makes all categories."""
