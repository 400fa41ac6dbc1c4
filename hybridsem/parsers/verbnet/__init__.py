"""VerbNet-style roles, derived from dependency trees by tables; a labeller's predicates refine
them.

rules.py          the frames of a tree, and the labeller's changes to them
draft.py          one frame under construction: candidates for its roles
verbal.py         handlers for the dependents of verbs and of other predicates
tables.py         roles by verb, preposition, adverb and subordinator
general_roles.py  VerbNet's and PropBank's roles as the eight general ones
"""

from __future__ import annotations

from hybridsem.parsers.verbnet.rules import VerbNetParser, frames, structure

__all__ = ["VerbNetParser", "frames", "structure"]
