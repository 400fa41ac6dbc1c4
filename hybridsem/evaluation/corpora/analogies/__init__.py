"""Sentence analogies made from words and sentences.

build.py         all categories, drawn by a seed; the manifest
sources.py       sentences and entailments of files; word analogies in frames
relations.py     the rules: negation, passivisation, …, plural, comparative, …
distractors.py   the five distractors of an answer
"""
