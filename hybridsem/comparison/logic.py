"""Natural logic: the relations of phrases, the contexts that project them, and how they are joined.

    A dog barks.  <  An animal barks.        more specific, so it entails the other
    No dog barks. >  No animal barks.        "no" exchanges the two

The relation of two phrases is projected through the contexts around them. The relations of all
edits between two sentences, joined, are that of the sentences. Relations, projections and joins are
those of MacCartney & Manning (2009).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, StrEnum
from functools import reduce
from types import MappingProxyType


class Relation(StrEnum):
    """The relation of a phrase or sentence to another (MacCartney & Manning 2009)."""

    EQUIVALENT = "="
    FORWARD = "<"
    """The first is more specific: it entails the second."""
    REVERSE = ">"
    NEGATION = "^"
    """Exactly one of the two is true."""
    ALTERNATION = "|"
    """Not both are true."""
    COVER = "v"
    """One of the two, or both, are true."""
    INDEPENDENT = "#"

    @property
    def inverted(self) -> Relation:
        """The relation of the second to the first."""
        return INVERTED.get(self, self)


INVERTED = MappingProxyType(
    {Relation.FORWARD: Relation.REVERSE, Relation.REVERSE: Relation.FORWARD}
)


class Context(Enum):
    """A context, by its projection of ``= < > ^ | v #``."""

    def __init__(self, name: str, images: str) -> None:
        self.title = name
        images = images.replace(" ", "")
        self.projection = dict(zip(Relation, map(Relation, images), strict=True))

    NEGATION = "negation", "= > < ^ v | #"
    NO = "no", "= > < | # | #"
    EVERY_OF = "of every", "= > < | # | #"
    EVERY = "every", "= < > | | # #"
    SOME = "some", "= < > v # v #"
    MOST = "most", "= < > | | # #"
    UP = "upward", "= < > # # # #"
    DOWN = "downward", "= > < # # # #"
    NEITHER = "neither", "= # # # # # #"
    FACT = "fact", "= < > ^ | v #"
    """The context of presuppositions, and of clauses from which a negation is raised."""


def project(relation: Relation, within: Iterable[Context]) -> Relation:
    """Return the relation of two sentences, from that of two phrases in contexts, innermost first.

    >>> str(project(Relation.FORWARD, [Context.NEGATION]))
    '>'
    """
    return reduce(lambda made, context: context.projection[made], within, relation)


def direction(within: Iterable[Context]) -> int:
    """Return 1 for upward, -1 for downward, 0 for neither.

    >>> direction([Context.NO, Context.NEGATION]), direction([Context.NEITHER])
    (1, 0)
    """
    made = project(Relation.FORWARD, within)
    return {Relation.FORWARD: 1, Relation.REVERSE: -1}.get(made, 0)


EQ, FWD, REV, NEG, ALT, COV, IND = Relation

_JOINED = {
    EQ: "= < > ^ | v #",
    FWD: "< < # | | # #",
    REV: "> # > v # v #",
    NEG: "^ v | = > < #",
    ALT: "| # | < # < #",
    COV: "v v # > > # #",
    IND: "# # # # # # #",
}
JOINED: Mapping[Relation, Mapping[Relation, Relation]] = MappingProxyType(
    {
        first: dict(zip(Relation, map(Relation, row.split()), strict=True))
        for first, row in _JOINED.items()
    }
)
"""The relation of a to c, by those of a to b and of b to c (MacCartney & Manning 2009, table 2)."""


def join(relations: Iterable[Relation]) -> Relation:
    """Return the relation of two sentences, from those of the edits between them.

    >>> str(join([Relation.FORWARD, Relation.NEGATION])), str(join([]))
    ('|', '=')
    """
    return reduce(lambda made, relation: JOINED[made][relation], relations, Relation.EQUIVALENT)
