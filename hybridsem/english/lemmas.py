"""Lemmas of English words: a table of irregular forms, spelling rules for the rest.

    form, UPOS --table--> lemma      went VERB -> go, mice NOUN -> mouse, them PRON -> they
               --rules--> lemma      tries VERB -> try, stopped VERB -> stop, 5,000 NUM -> 5000
               --neither--> the form in lower case; a name (PROPN) keeps its capitals

The table (``hybridsem/data/lemmas.json``, made by ``models/parser/lemmas.py``) holds the forms that
the rules (``lemmas.toml``) get wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from hybridsem._utils.tables import read_table
from hybridsem._utils.weights import FOLDER, weight_file

CACHED_WORDS = 65_536
MAX_LENGTH = 64  # longer words are links or noise, and some patterns take quadratic time


class Rule(NamedTuple):
    """A pattern with its replacement; ``stem``: then repair a doubled consonant or a lost e."""

    pattern: re.Pattern[str]
    replacement: str
    stem: bool = False


def _rules(name: str) -> tuple[Rule, ...]:
    return tuple(Rule(re.compile(pattern), *rest) for pattern, *rest in _TABLES[name])


_TABLES = read_table(__file__)
STEM, PLURAL, INFLECTED_VERB, COMPARED = map(_rules, ("stem", "plural", "verb", "compared"))
# The rules of each tag, and the endings of the words that they change.
RULES = {
    "NOUN": (PLURAL, ("s", "men", "children")),
    "VERB": (INFLECTED_VERB, ("s", "ed", "ing")),
    "AUX": (INFLECTED_VERB, ("s", "ed", "ing")),
    "ADJ": (COMPARED, ("er", "est")),
    "ADV": (COMPARED, ("er", "est")),
}
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")


def _apply(rules: Iterable[Rule], word: str) -> str:
    for pattern, replacement, stem in rules:
        if pattern.search(word):
            changed = pattern.sub(replacement, word)
            return _apply(STEM, changed) if stem else changed
    return word


def rule_lemma(form: str, pos: str) -> str:
    """Return the lemma of a form by spelling rules; names keep their capitals."""
    if pos == "PROPN":
        return form
    lower = form.lower()
    if pos == "NUM":
        return THOUSANDS.sub("", lower)
    rules, endings = RULES.get(pos, ((), ()))
    if lower.endswith(endings) and lower.isalpha() and len(lower) <= MAX_LENGTH:
        return _apply(rules, lower)
    return lower


class Lemmatiser:
    """The lemmas of forms with a UPOS tag. ``table`` precedes the rules: UPOS -> lemma -> its forms
    in lower case, separated by blanks. A hyphenated word that is not in the table has its last part
    lemmatised.
    """

    def __init__(self, table: Mapping[str, Mapping[str, str]]) -> None:
        self._table = {
            (form, pos): lemma
            for pos, lemmas in table.items()
            for lemma, forms in lemmas.items()
            for form in forms.split()
        }
        self.known = lru_cache(CACHED_WORDS)(self._lemma)
        """As calling the lemmatiser, in less time."""

    def __call__(self, form: str, pos: str) -> str:
        """Return the lemma of a form with a UPOS tag."""
        return self.known(form, pos)

    def under(self, form: str, tags: Iterable[str]) -> list[str]:
        """Return the different lemmas of a form in lower case, by the tags in order."""
        return list(dict.fromkeys(self.known(form, tag).lower() for tag in tags))

    def _lemma(self, form: str, pos: str) -> str:
        if pos == "PROPN":
            return form
        lower = form.lower()
        found = self._table.get((lower, pos))
        if found is None and pos == "AUX":  # a verb that is tagged so
            found = self._table.get((lower, "VERB"))
        if found is not None:
            return found
        head, _, last = lower.rpartition("-")
        return f"{head}-{self._lemma(last, pos)}" if head and last else rule_lemma(lower, pos)


def lemmatiser(folder: Path = FOLDER) -> Lemmatiser:
    """Return the lemmatiser of a folder of weight files, loaded once; :class:`AssetError` if the
    table is missing or damaged.
    """
    return _loaded(folder)


@cache
def _loaded(folder: Path) -> Lemmatiser:
    return Lemmatiser(json.loads(weight_file("lemmas.json", folder)))
