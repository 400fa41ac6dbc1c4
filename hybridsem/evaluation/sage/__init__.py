"""SAGE: how similarities of documents agree with people and stand up to changes (Goel, Lee &
Ramchandran 2025).

parts.py        data sets of a part, their documents and the card's results
document_models.py  models over documents; many pairs of texts at once
judgements.py   people's judgements of summaries from files
preference.py   which of two summaries people prefer, and ratings
changes.py      documents compared with changed forms of them:
robustness.py   superficial changes against changes of meaning
sensitivity.py  how much similarity falls when filler is added or spans are taken out
clustering.py   labelled texts, complete linkage, V-measure
beir.py         retrieval collections from files
retrieval.py    how much of a ranking's worth is left when documents are changed
search.py       rankings and their worth
overall.py      the benchmarks by name; all parts, and the mean of the five, drawn
document_values.py  cards side by side, over the same documents and queries
datasets.py     data sets by name, from the hub

A part is a file with one :class:`~hybridsem.evaluation.task.Task`: its ``load`` gives
:class:`~hybridsem.evaluation.sage.parts.Sets`, its ``prepare`` is
:func:`~hybridsem.evaluation.sage.document_models.prepared`, and ``measure`` gives the statistic
``score`` for the group ``all`` (the part's score) and for each data set.
"""
