"""Benchmarks of structure: does a score see who did what to whom?

paws.py           paraphrases of the same words against sentences with another meaning
entailment.py     the labels of natural-language inference, by the score
triples.py        a paraphrase against an alteration: SugarCrepe++ and minimal pairs
role_confusion.py AMR graphs with two arguments exchanged
scoring.py        scores of pairs that are in memory
"""
