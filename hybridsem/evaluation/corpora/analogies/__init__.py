"""Sentence analogies made from words and sentences.

build.py         all categories, drawn by a seed; the manifest
sources.py       sentences and entailments of files; word analogies in frames
word_changes.py  plural, comparative, opposite, verb conjugation
relations.py     negation, passivisation, objective clause, predicative adjective
distractors.py   the five distractors of an answer
"""
