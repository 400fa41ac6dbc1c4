"""Lemmas: closed-class and irregular forms from a table learned from UD EWT, the rest from lemminflect."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

__all__ = ["Lemmatiser", "rule_lemma"]

INFLECTED = frozenset({"NOUN", "VERB", "AUX", "ADJ", "ADV"})


@lru_cache(maxsize=100_000)
def rule_lemma(form: str, pos: str) -> str:
    """The lemma that lemminflect gives for a form with a UPOS tag; names keep their capitals."""
    if pos == "PROPN":
        return form
    lower = form.lower()
    if pos not in INFLECTED or not lower.isalpha():
        return lower
    from lemminflect import getLemma

    found = getLemma(lower, upos=pos)
    return str(found[0]) if found else lower


class Lemmatiser:
    """Looks a form up in ``table`` (keys ``form POS``, lower case) before it asks the rules."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self._table = table

    def __call__(self, form: str, pos: str) -> str:
        return self._table.get(f"{form.lower()} {pos}") or rule_lemma(form, pos)
