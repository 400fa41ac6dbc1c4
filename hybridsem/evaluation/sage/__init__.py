"""SAGE: do similarities of documents agree with people, and survive changes of the documents?
(Goel, Lee & Ramchandran 2025.)

A part is a file with a :class:`~hybridsem.evaluation.task.Task`. Its ``load`` gives
:class:`~hybridsem.evaluation.sage.parts.Sets`, and ``measure`` the statistic ``score`` for the
group ``all`` and for each data set. ``overall.py`` has all parts and their mean.
"""
