"""Sentence analogies: is A : B :: C : D a parallelogram in a model's space?

items.py        categories of pairs with one relation
files.py        the files that hold them
geometry.py     answers to questions, from cosines
summaries.py    accuracies, with intervals over pairs
task.py         the benchmark
comparing.py    cards side by side
roles.py        analogies explained by roles, and answered by them alone

Made from words and sentences:

build.py        all categories, drawn by a seed
sources.py      sentences and entailments of files
lexical.py      word analogies in frames
changes.py      plural, comparative, opposite, verb conjugation
relations.py    negation, passivisation, objective clause, predicative adjective
candidates.py   the five distractors of an answer
report.py       manifest and samples
"""
