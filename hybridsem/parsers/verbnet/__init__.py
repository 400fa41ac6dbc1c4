"""VerbNet-style roles, read off dependency trees by tables; a labeller's predicates refine them.

rules.py          the frames of a tree
draft.py          one frame while it is read: a handler for each relation of a dependent
verbal.py         the handlers for verbs
nominal.py        the handlers for other predicates, with or without a copula
candidates.py     which candidate gets which role
adjuncts.py       roles of adjuncts by preposition, adverb and subordinator
tables.py         what these know about English
labelled.py       what a semantic role labeller's predicates change in them
general_roles.py  VerbNet's and PropBank's roles as the eight general ones
"""

from __future__ import annotations

from hybridsem.parsers.verbnet.rules import VerbNetParser, frames, structure

__all__ = ["VerbNetParser", "frames", "structure"]
