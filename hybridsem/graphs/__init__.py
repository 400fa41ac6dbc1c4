"""Metrics on whole AMR graphs.

    triples.py     a graph as numbered nodes and triples
    smatch.py      Smatch, by search or proven
    wlk.py         the Weisfeiler-Leman kernel
    wwlk.py        its Wasserstein version, over word vectors
    sembleu.py     n-grams of paths
    rematch.py     sets of motifs
    combiner.py    the metrics with the nodes that were matched, and as a combiner
    corpus.py      two lists of graphs, compared pair by pair and as a whole
    role_confusion.py    whether a metric notices two swapped arguments

The graphs are in ``hybridsem.amr``, the metrics by name in ``hybridsem.registry.named``.
"""
