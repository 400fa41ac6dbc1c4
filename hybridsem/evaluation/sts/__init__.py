"""Sentence similarity against human ratings."""
