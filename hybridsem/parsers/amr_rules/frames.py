"""Frames of words and the numbers of their arguments, from counts on annotated text.

    word, part of speech, particle   --Frames.of-->    concept        destruction NOUN -> destroy-01
    concept, syntactic place         --Frames.role-->  role           give-01, "to" -> :ARG2

The table (``hybridsem/data/amr.json``) is made by ``models/amr/frames.py``, which counts with the
same :func:`place`.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

from hybridsem._utils.weights import weight_file
from hybridsem.parsers.trees.clauses import Clauses

__all__ = ["DEFAULT_ROLES", "Frames", "place", "shipped"]

DEFAULT_ROLES = {
    "subj": "ARG0",
    "subj0": "ARG0",
    "obj": "ARG1",
    "iobj": "ARG2",
    "ccomp": "ARG1",
    "xcomp": "ARG1",
}
"""The argument in each syntactic place, for a frame of which nothing else is known."""

PLACES = frozenset(
    {"at", "behind", "above", "below", "beneath", "under", "underneath", "near", "beside"}
    | {"between", "among", "inside", "outside", "around", "against", "by", "next to", "over"}
    | {"across"}
)
OBJECTS = ("obj", "ccomp", "xcomp")


def place(tree: Clauses, head: int, dependent: int, passive: bool) -> str:
    """The syntactic place of a dependent of a predicate, as in the active voice.

    ``subj`` (``subj0`` without any object), ``obj``, ``iobj``, ``ccomp``, ``xcomp``, ``pred`` (a
    predicative), ``poss``, ``compound``, ``amod``, ``adv``, ``to+`` (an infinitive), for the rest
    the preposition; "" where no argument stands.

    Args:
        tree: The tree.
        head: The predicate's word.
        dependent: A word that hangs from it.
        passive: Whether the predicate is passive.
    """
    base, relation = tree.base[dependent], tree.relation[dependent]
    if base in ("nsubj", "csubj"):
        if passive:
            return "iobj" if tree.has(head, "obj") else "obj"
        return "subj" if any(tree.base[c] in OBJECTS for c in tree.children(head)) else "subj0"
    if base == "xcomp":
        return (
            "xcomp"
            if tree.tokens[dependent].pos == "VERB" or tree.has(dependent, "cop")
            else "pred"
        )
    if base in ("obj", "iobj", "ccomp", "compound", "amod"):
        return "" if relation == "compound:prt" else base
    if base == "advmod":
        return "adv"
    if relation == "nmod:poss":
        return "poss"
    if base in ("obl", "nmod"):
        if passive and (relation == "obl:agent" or tree.is_by_agent(dependent)):
            return "subj"
        return tree.preposition(dependent)
    if base in ("advcl", "acl") and relation != "acl:relcl":
        mark = tree.relation_of(dependent, "mark")
        if mark is None:
            return ""
        return "to+" if tree.lower[mark] == "to" else tree.lower[mark]
    return ""


class Frames(NamedTuple):
    """The table.

    ``words`` maps ``lemma/POS`` to a concept, with ``lemma/VERB/t`` (``/i``) for the verb with
    (without) an object and ``lemma_particle/VERB`` for the verb with a particle; ``roles`` maps a
    concept to the arguments in those places where they are not the default; ``light`` has the verbs
    that say nothing beside a noun: ``make decision``.
    """

    words: dict[str, str]
    roles: dict[str, dict[str, str]]
    light: frozenset[str] = frozenset()

    def of(self, lemma: str, pos: str) -> str | None:
        """The concept of a word, or None where it is the lemma itself."""
        return self.words.get(f"{lemma}/{pos}")

    def verb(self, lemma: str, particle: str, transitive: bool) -> str:
        """The sense of a verb; ``-01`` where nothing is known."""
        if particle:
            found = self.words.get(f"{lemma}_{particle}/VERB")
            if found:
                return found
        return (
            self.words.get(f"{lemma}/VERB/{'t' if transitive else 'i'}")
            or self.words.get(f"{lemma}/VERB")
            or f"{lemma}-01"
        )

    def placed(self, concept: str, place: str) -> str | None:
        """As :meth:`role`, for phrases: what has an argument "in" and "on" has it "behind" too."""
        known = self.roles.get(concept, {})
        if place in known or place not in PLACES:
            return known.get(place)
        found = {known.get("in"), known.get("on")}
        return found.pop() if len(found) == 1 else None

    def role(self, concept: str, place: str) -> str | None:
        """The argument that stands in a place, None where the frame says nothing about it."""
        return self.roles.get(concept, {}).get(place) or DEFAULT_ROLES.get(place)


@cache
def shipped() -> Frames:
    """The table inside the package."""
    table: dict[str, Any] = json.loads(weight_file("amr.json"))
    return Frames(table["words"], table["roles"], frozenset(table["light"]))
