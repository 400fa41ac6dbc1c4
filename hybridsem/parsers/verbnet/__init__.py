"""VerbNet-style roles: read off dependency trees by tables, with a labeller's predicates where there are any.

rules.py          roles by dependency relation
tables.py         what the rules know about English
labelled.py       what a semantic role labeller's predicates change in them
general_roles.py  VerbNet's and PropBank's roles as the eight general ones
"""

from __future__ import annotations

from hybridsem._utils.moved import moved_names

__getattr__ = moved_names(
    __name__,
    dict.fromkeys(("VerbNetParser", "frames", "structure"), "hybridsem.parsers.verbnet.rules"),
)
