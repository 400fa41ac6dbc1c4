"""Answering from a collection: a swapped fact is not the same fact.

    python examples/answering.py

A model that answers from what was found says what the first text says. With the plain encoder that
is, for some claims, the fact the other way round; with the hybrid the swapped, denied or renumbered
text stands behind the one that says the same in other words. Here the "model" reads out the text.
"""

from __future__ import annotations

import tempfile

from hybridsem import Pipeline
from hybridsem.search import Index

FACTS = [
    "Alpha Bank acquired the Daily Herald in 2019.",
    "The Daily Herald acquired Alpha Bank in 2019.",
    "The mayor was accused by the journalist of taking money.",
    "The mayor accused the journalist of taking money.",
    "The vaccine protects children against the virus.",
    "The vaccine does not protect children against the virus.",
    "Three ships left the harbour on Monday.",
    "Five ships left the harbour on Monday.",
]
CLAIMS = [
    "The Daily Herald was acquired by Alpha Bank in 2019.",
    "The journalist accused the mayor of taking money.",
    "Children are protected against the virus by the vaccine.",
    "On Monday, five ships left the harbour.",
]

nlp, encoder = Pipeline(), Pipeline("embedded")
with tempfile.TemporaryDirectory() as folder:
    ours = Index.build(FACTS, f"{folder}/hybrid", nlp)
    theirs = Index.build(FACTS, f"{folder}/encoder", encoder)
    for claim in CLAIMS:
        print(claim)
        for name, index in (("encoder", theirs), ("hybrid", ours)):
            first, second = index.search(claim, 2)
            print(f"  {name:<8} {first.score:.3f}  {first.text}")
            print(f"  {'':<8} {second.score:.3f}  {second.text}")
    print("Who acquired whom?")
    for hit in ours.search(verb="acquire", agent="Alpha Bank", top_k=2):
        print(f"  {hit.score:.3f}  {hit.text}")
