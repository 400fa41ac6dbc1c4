"""Sentence analogies: is A : B :: C : D a parallelogram in a model's space?

geometry.py    answers to questions, from cosines
summaries.py   accuracies, with intervals over pairs
task.py        the benchmark; cards compared

``hybridsem.datasets.analogies`` holds the data, ``hybridsem.evaluation.corpora`` makes them.
"""
