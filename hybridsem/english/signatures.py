"""Implications of verbs, adjectives and nouns for their complements.

    fail to    -+    "He failed to come": he did not come. "He did not fail to come": he came.
    know that  ++    "She knows (does not know) that it rains": it rains.
    want to    oo    nothing either way

A signature gives what follows where the word is affirmed, then where it is negated: ``+`` the
complement, ``-`` its negation, ``o`` neither. The tables are in ``signatures.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from hybridsem._utils.tables import by_word, read_table, word_sets


class Complement(StrEnum):
    """The form of a complement: "to come", "that it rains", "coming", "from coming"."""

    TO = "to"
    THAT = "that"
    ING = "ing"
    FROM = "from"


_TABLES = read_table(__file__)
_WORDS = word_sets(_TABLES["words"])

SIGNATURES: Mapping[tuple[str, Complement], str] = MappingProxyType(
    {
        (word, Complement(form)): known
        for form, table in _TABLES["signatures"].items()
        for word, known in by_word(table).items()
    }
)
"""Signatures by lemma and complement."""

DENIALS = frozenset(key for key, known in SIGNATURES.items() if known == "-+") | {
    ("refuse", Complement.TO),
    ("decline", Complement.TO),
}
"""Lemmas, with a form of complement, whose affirmation negates the complement."""

ADDING, DOWNWARD, RAISING = (_WORDS[name] for name in ("adding", "downward", "raising"))


def signature(lemma: str, complement: Complement) -> str | None:
    """Return the signature of a lemma with a complement, or None."""
    return SIGNATURES.get((lemma, complement))
