"""Comparisons of AMR graphs as wholes.

    triples.py     a graph as numbered nodes and triples
    smatch.py      Smatch: by search or proven
    wlk.py         the Weisfeiler-Leman kernel
    wwlk.py        its Wasserstein version, over word vectors
    sembleu.py     n-grams of paths
    rematch.py     sets of motifs
    combiner.py    each as a metric with the nodes that were matched, and as a combiner
    corpus.py      two lists of graphs, compared pair by pair and as a whole
    role_confusion.py    whether a metric notices that two arguments have changed places

The graphs themselves are in ``hybridsem.amr``, the names of the metrics in
``hybridsem.registry.named``.
"""
