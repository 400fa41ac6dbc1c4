"""SAGE: do similarities of documents agree with people, and survive changes of the documents?

(Goel, Lee & Ramchandran 2025.)

parts.py        data sets of a part, their documents and the card's results
document_models.py  models over documents; many pairs of texts at once
preference.py   which of two summaries people prefer, and ratings
changes.py      documents compared with changed versions: robustness and sensitivity
clustering.py   labelled texts, complete linkage, V-measure
beir.py         retrieval collections from files
retrieval.py    how much of NDCG is retained when documents change
search.py       rankings and NDCG
overall.py      the benchmarks by name; all parts, their mean, and its picture
item_bootstrap.py  cards compared over the same documents and queries
datasets.py     data sets by name, from the hub

A part is a file with a :class:`~hybridsem.evaluation.task.Task`. Its ``load`` gives
:class:`~hybridsem.evaluation.sage.parts.Sets`, its ``prepare`` is
:func:`~hybridsem.evaluation.sage.document_models.prepared`, and ``measure`` gives the statistic
``score`` for the group ``all`` and for each data set.
"""
