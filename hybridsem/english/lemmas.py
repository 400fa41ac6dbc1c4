"""Lemmas of English words: a table of what is irregular, spelling rules for the rest.

    form, UPOS --table--> lemma      went VERB -> go, mice NOUN -> mouse, them PRON -> they
               --rules--> lemma      tries VERB -> try, stopped VERB -> stop, 5,000 NUM -> 5000
               --neither--> the form in lower case; a name (PROPN) keeps its capitals

The table (``hybridsem/data/lemmas.json``, made by ``models/parser/lemmas.py``) holds only what the
rules get wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from hybridsem._utils.weights import FOLDER, weight_file

CACHED_WORDS = 65_536
MAX_LENGTH = 64  # what is longer is a link or noise, and some patterns take quadratic time


class Rule(NamedTuple):
    """What a matching word becomes; ``stem``: mend a doubled consonant or a lost e afterwards."""

    pattern: re.Pattern[str]
    replacement: str
    stem: bool = False


def _rule(pattern: str, replacement: str, stem: bool = False) -> Rule:
    return Rule(re.compile(pattern), replacement, stem)


SAME = r"\g<0>"
Q = r"(?:[^aeiou]|qu)"  # a consonant

# In every table the first pattern found decides.
STEM = (
    _rule(r"([bdgkmnprtv])\1$", r"\1"),  # stopp-ed
    _rule(r"([aeiouy].*[^aeiou][eo]l)l$", r"\1"),  # travell-ed, controll-ed
    _rule(r"(?:[cuv]|(?<!z)z|(?<!s)s)$", SAME + "e"),  # danc-ed, valu-ed, lov-ed, siz-ed, us-ed
    _rule(r"(?:[dlr]g|ang|eng)$", SAME + "e"),  # judg-ed, merg-ed, chang-ed
    _rule(r"[bcdfgkptz][lr]$", SAME + "e"),  # handl-ed, centr-ed
    _rule(
        rf"^{Q}*[aeiouy][bdfgklmnprt]$", SAME + "e"
    ),  # hop-ed; in hopp-ed the consonant is doubled
    _rule(r"(?<=[iu])at$", "ate"),  # initiat-ed, evaluat-ed
    # manag-ed, decid-ed, requir-ed, includ-ed: most verbs with such an ending
    _rule(
        r"(?:(?<=[^aeiou])|(?<=qu))(?:a[dgkt]|e[dg]|i[bdgklmnr]|o[dk]|u[dgklmnrt]|y[kmp])$",
        SAME + "e",
    ),
)
PLURAL = (
    _rule(r"[su]s$|is$", SAME),  # glass, virus, basis
    _rule(r"(?<=[a-z])men$", "man"),
    _rule(r"(?<=[a-z])wives$", "wife"),
    _rule(r"children$", "child"),
    _rule(r"^([^aeiou]?)ies$", r"\1ie"),  # pies
    _rule(r"ies$", "y"),
    _rule(r"(?<=[aeiouy])([^aeiou]+us)es$", r"\1"),  # viruses, not houses
    _rule(r"(ss|sh|ch|x|tz|zz)es$", r"\1"),
    _rule(r"(?<=[a-z][aeiou]lys)es$|(?<=[a-z][aeiou]thes)es$", "is"),  # analyses, hypotheses
    _rule(r"^([^aeiou]*|.*sh)oes$", r"\1oe"),  # toes, horseshoes
    _rule(r"oes$", "o"),
    _rule(r"(?<=..)s$", ""),
)
INFLECTED_VERB = (
    _rule(r"eed$|[su]s$|is$", SAME),  # need, pass, focus
    _rule(r"^([^aeiou]?)ie[sd]$", r"\1ie"),  # lies, tied
    _rule(r"ie[sd]$", "y"),
    _rule(r"^([^aeiouy]*[aeiouy].*)(?:ed|ing)$", r"\1", True),  # not bring
    _rule(r"(ss|sh|ch|x|tz|zz|[^aeiou]o)es$", r"\1"),
    _rule(r"(?<=..)s$", ""),
)
COMPARED = (
    _rule(r"(?<=..)i(?:er|est)$", "y"),
    _rule(r"^([^aeiouy]*[aeiouy].+)est$", r"\1", True),
)
# For each tag its rules, and the ends of all words that one of them changes.
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
    """The lemma of a form by spelling rules; names keep their capitals."""
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
    """Gives the lemma of a form with a UPOS tag.

    ``table`` goes before the rules: UPOS -> lemma -> the forms of it, lower case, separated by
    blanks. Of a word with hyphens that is not in the table, the last part is lemmatised.
    """

    def __init__(self, table: Mapping[str, Mapping[str, str]]) -> None:
        self._table = {
            (form, pos): lemma
            for pos, lemmas in table.items()
            for lemma, forms in lemmas.items()
            for form in forms.split()
        }
        self._cached = lru_cache(CACHED_WORDS)(self._lemma)

    def __call__(self, form: str, pos: str) -> str:
        """The lemma of a form with a UPOS tag."""
        return self._cached(form, pos)

    def each(self, forms: Iterable[str], tags: Iterable[str]) -> Iterator[str]:
        """The lemmas of forms with their UPOS tags."""
        return map(self._cached, forms, tags)

    def _lemma(self, form: str, pos: str) -> str:
        if pos == "PROPN":
            return form
        lower = form.lower()
        found = self._table.get((lower, pos))
        if found is None and pos == "AUX":  # a verb that is tagged so
            found = self._table.get((lower, "VERB"))
        if found is not None:
            return found
        head, hyphen, last = lower.rpartition("-")
        return (
            f"{head}-{self._lemma(last, pos)}"
            if hyphen and head and last
            else rule_lemma(lower, pos)
        )


def lemmatiser(folder: Path = FOLDER) -> Lemmatiser:
    """The lemmatiser with the table of a folder of weight files, loaded once. ``folder``: where
    they are; those that ship if not given. Raises :class:`AssetError` (the table is missing or
    damaged).
    """
    return _loaded(folder)


@cache
def _loaded(folder: Path) -> Lemmatiser:
    return Lemmatiser(json.loads(weight_file("lemmas.json", folder)))
