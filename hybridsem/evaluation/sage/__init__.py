"""SAGE: how similarities of documents agree with people and stand up to changes (Goel, Lee &
Ramchandran 2025).

sets.py         one data set or several of a part; samples of them
documents.py    documents and their summaries from files
document_models.py  models over documents; many pairs of texts at once
judgements.py   people's judgements of summaries from files
preference.py   which of two summaries people prefer, and ratings
changes.py      documents compared with changed forms of them:
robustness.py   superficial changes against changes of meaning
sensitivity.py  how much similarity falls when filler is added or spans are taken out
clustering.py   labelled texts, complete linkage, V-measure
beir.py         retrieval collections from files
retrieval.py    how much of a ranking's worth is left when documents are changed
results.py      what the card of a part holds
overall.py      all parts, and the mean of the five
task.py         what the benchmarks have in common
document_values.py  cards side by side, over the same documents and queries
pictures.py     the five scores round a circle
datasets.py     data sets by name, from the hub
tasks.py        the benchmarks by name

A part is a file with one :class:`~hybridsem.evaluation.task.Task`: its ``load`` gives
:class:`~hybridsem.evaluation.sage.parts.Sets`, its ``prepare`` is
:func:`~hybridsem.evaluation.sage.document_models.prepared`, and ``measure`` gives the statistic
``score`` for the group ``all`` (the part's score) and for each data set.
"""
