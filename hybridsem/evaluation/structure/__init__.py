"""Benchmarks of structure: does a score see who did what to whom?

labelled.py       paraphrases with the same words (PAWS); natural-language inference
triples.py        a paraphrase against an alteration: SugarCrepe++ and minimal pairs
role_confusion.py AMR graphs with two arguments exchanged
scoring.py        scores of pairs in memory
"""
