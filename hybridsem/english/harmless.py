"""Differences between two texts that are known not to matter, as a proof that they say the same.

    "The colour isn't right."   "the color is not right"     contraction, spelling
    "The physician left."       "The doctor left."           synonym
    "It costs $5."              "It costs $6."               no proof

Texts say the same if their units (``written.py``) match one by one, in order. Whatever is not known
not to matter keeps them apart: another figure, sign, name, order, or unknown word. Case, spacing
and punctuation leave no unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.lexicon import LexicalRelation, lexicon
from hybridsem.english.questions import asks
from hybridsem.english.words import PRONOUNS, STOP_WORDS
from hybridsem.english.written import Unit, UnitKind, is_hexadecimal, units

_TABLES = read_table(__file__)
WORDS = word_sets(_TABLES["words"])
AGREEING = frozenset(
    frozenset((one, other))
    for forms in _TABLES["agreement"]["forms"]
    for one in forms.split()
    for other in forms.split()
)
_SYNONYMS = frozenset(frozenset(pair.split()) for pair in _TABLES["synonyms"]["pairs"].split(","))
_SPELLINGS = [tuple(pair.split()) for pair in _TABLES["spelling"]["variants"].split(",")]
_CODE = re.compile(_TABLES["code"]["pattern"])
TAGS = ("NOUN", "VERB", "ADJ", "ADV")
SYNONYMS = 0.05
"""The least strength of synonyms that are looked up; only listed ones and spellings match."""
EMOJI = "\U0001f000"
"""The first emoji."""
LONGEST_UNIT = 4
"""The most letters of a unit of measure whose capitals matter."""
BEFORE = 3
"""The number of units before a noun that are searched for a definite word."""


class HarmlessKind(StrEnum):
    """The kind of a difference that does not matter."""

    AGREEMENT = "agreement"
    INFLECTION = "inflection"
    SYNONYM = "synonym"
    NOTATION = "notation"
    """A number in words or figures."""
    COMPOUND = "compound"


class Harmless(NamedTuple):
    """A difference that does not matter: its kind, and the words of both texts."""

    kind: HarmlessKind
    text1: str
    text2: str


class Statement(NamedTuple):
    """The units of a text without light words, and the property of being a question. ``definite``
    is True for units behind a definite word, where the number of a noun matters. ``tail`` are the
    emojis behind a question; ``one_case`` texts have no capitals, or nothing else; ``code`` is the
    text itself if it looks like code.
    """

    units: tuple[Unit, ...]
    definite: tuple[bool, ...]
    question: bool
    tail: str = ""
    one_case: bool = False
    code: str = ""


@lru_cache(4096)
def statement(text: str) -> Statement:
    """Return what a text states, without articles, politeness and "that" after another word.

    >>> read = statement("Please close the door, a few of them said that it rains.")
    >>> [unit.key for unit in read.units], read.definite[1]
    (['close', 'door', 'a', 'few', 'of', 'them', 'said', 'it', 'rains'], True)
    """
    found, question = units(text), asks(text)
    tail = ""
    while question and found and found[-1].kind is UnitKind.SIGN and found[-1].key[0] >= EMOJI:
        tail, found = found[-1].key + tail, found[:-1]
    loud = not any(map(str.islower, text))
    kept = [at for at in range(len(found)) if not _is_light(found, at, loud)]
    marks = [unit.key in WORDS["definite"] or unit.kind is UnitKind.FIGURE for unit in found]
    definite = tuple(any(marks[max(0, at - BEFORE) : at]) for at in kept)
    one_case = loud or not any(map(str.isupper, text))
    code = " ".join(text.split()) if _CODE.search(text) else ""
    return Statement(tuple(found[at] for at in kept), definite, question, tail, one_case, code)


def _is_light(found: Sequence[Unit], at: int, loud: bool) -> bool:
    unit = found[at]
    if unit.kind is not UnitKind.WORD:
        return False
    after = found[at + 1] if at + 1 < len(found) else None
    if unit.key in WORDS["articles"]:
        figure = at > 0 and found[at - 1].kind is UnitKind.FIGURE  # "3 a day"
        named = figure or (unit.text == "A" and at and not loud)  # "Team A"
        before = found[at - 1].kind if at else UnitKind.WORD
        operand = UnitKind.SIGN in (before, after.kind if after else UnitKind.SIGN)
        counted = after is not None and after.key in WORDS["quantities"]
        return not (named or operand or counted)
    if unit.key in WORDS["complementisers"]:
        said = at > 0 and found[at - 1].key in WORDS["saying"]
        subjects = WORDS["articles"] | PRONOUNS.keys()  # "know that man" is not "know man"
        return said and after is not None and (after.key in subjects or after.text.istitle())
    return unit.key in WORDS["polite"] and at in (0, len(found) - 1)


def proof(text1: str, text2: str) -> tuple[Harmless, ...] | None:
    """Return the differences of two texts if all are known not to matter, or else None. The empty
    tuple means that they differ in case, spacing, punctuation and light words at most.

    >>> proof("The Colour faded .", "the color faded")
    (Harmless(kind=<HarmlessKind.SYNONYM: 'synonym'>, text1='Colour', text2='color'),)
    >>> proof("It rose by 5 %", "It rose to 5 %") is None
    True
    """
    return matched(statement(text1), statement(text2))


def matched(first: Statement, second: Statement) -> tuple[Harmless, ...] | None:
    """Return the differences of two texts, as :func:`proof` does, from what they state."""
    tails = {first.tail, second.tail} - {""}
    if first.question != second.question or first.code != second.code or len(tails) > 1:
        return None
    found: list[Harmless] = []
    ones, twos = first.units, second.units
    i = j = 0
    while i < len(ones) and j < len(twos):
        one, two = ones[i], twos[j]
        ahead1 = ahead2 = 1
        kind: HarmlessKind | None = None
        if one.key == two.key:
            if one.text != two.text and _case_matters(first, i, second, j):
                return None
            if one.text.isalpha() != two.text.isalpha() and one.kind is UnitKind.FIGURE:
                kind = HarmlessKind.NOTATION
        elif (kind := match_of(first, i, second, j)) is None:
            kind = HarmlessKind.COMPOUND
            ahead1, ahead2 = 1 + (joined(ones, i) == two.key), 1 + (joined(twos, j) == one.key)
            if ahead1 == ahead2:
                return None
        before, after = ones[i : i + ahead1], twos[j : j + ahead2]
        if kind is not None:
            written = (" ".join(unit.text for unit in side) for side in (before, after))
            found.append(Harmless(kind, *written))
        i, j = i + ahead1, j + ahead2
    return tuple(found) if i and (i, j) == (len(ones), len(twos)) else None


def _case_matters(first: Statement, i: int, second: Statement, j: int) -> bool:
    """Test if units with the same key may differ by their capitals: codes, units of measure,
    acronyms and names that are words: "5 MHz" and "5 mHz", "IT" and "it", "May" and "may".
    """
    one, two = first.units[i], second.units[j]
    if first.one_case or second.one_case or one.text.lower() != two.text.lower():
        return False
    measured = any(
        at and side.units[at - 1].kind is UnitKind.FIGURE for side, at in ((first, i), (second, j))
    )
    if one.kind is not UnitKind.WORD or (measured and len(one.text) <= LONGEST_UNIT):
        return not is_hexadecimal(one.text)
    if not (i and j):
        return False
    capital = one.text if one.text[0].isupper() else two.text
    return (len(capital) > 1 and capital.isupper()) or capital in capitalised_words()


def match_of(first: Statement, i: int, second: Statement, j: int) -> HarmlessKind | None:
    """Return how two words with different keys match, or None."""
    one, two = first.units[i], second.units[j]
    if not (one.kind is two.kind is UnitKind.WORD):
        return None
    if {one.key, two.key} == WORDS["asked"] and i == j == 1 and first.question:
        how = first.units[0].key, *(unit.key for unit in first.units[2:3])
        return HarmlessKind.AGREEMENT if how == ("how", "i") else None
    contracts = i > 0 and first.units[i - 1].key in WORDS["contracting"]
    if {"'s", "'d"} & {one.key, two.key} and not contracts:
        return None
    kind = word_match(one.key, two.key)
    free = first.question and not (first.definite[i] or second.definite[j])
    if kind is HarmlessKind.INFLECTION and not free:  # "take a pill", "take pills"
        return None
    named = kind in (HarmlessKind.INFLECTION, HarmlessKind.SYNONYM)
    return None if named and (is_name(one, i) or is_name(two, j)) else kind


def is_name(unit: Unit, at: int) -> bool:
    """Test if a word is written as a name: with one capital, within a sentence or unknown."""
    capital = unit.text[:1].isupper() and not unit.text[1:].isupper()
    known = unit.key in STOP_WORDS or any(map(is_common, bases(unit.key)))
    return capital and (at > 0 or not known)


@lru_cache(65_536)
def word_match(word1: str, word2: str) -> HarmlessKind | None:
    """Return how two different words, in lower case, can have one meaning, or None.

    >>> word_match("physician", "doctor"), word_match("minute", "second")
    (<HarmlessKind.SYNONYM: 'synonym'>, None)
    """
    if frozenset((word1, word2)) in AGREEING:
        return HarmlessKind.AGREEMENT
    lemma = lemmatiser()
    for tag in TAGS[:2]:
        base = lemma(word1, tag)
        if base == lemma(word2, tag) and is_common(base) and base not in WORDS["irregular"]:
            forms = {form_of(word1, base, tag), form_of(word2, base, tag)}
            if len(forms) == 1:
                return HarmlessKind.AGREEMENT  # "learnt" and "learned"
            if forms == {"", "s"}:
                return HarmlessKind.INFLECTION
    for tag in TAGS:
        base1, base2 = lemma(word1, tag), lemma(word2, tag)
        if form_of(word1, base1, tag) != form_of(word2, base2, tag):
            continue
        if frozenset((base1, base2)) in _SYNONYMS:
            return HarmlessKind.SYNONYM
        if _is_spelling(base1, base2):
            relation, _ = lexicon().relation(base1, tag, base2, tag)
            if relation in (LexicalRelation.SYNONYM, LexicalRelation.SAME):
                return HarmlessKind.SYNONYM
    return None


def _is_spelling(word1: str, word2: str) -> bool:
    """Test if two words are British and American spellings of one."""
    return any(
        word1.replace(british, american, 1) == word2 or word2.replace(british, american, 1) == word1
        for british, american in _SPELLINGS
        if british in word1 or british in word2
    )


def form_of(word: str, base: str, tag: str) -> str:
    """Return the form of a word: "" for its base, "s", "ing", or "ed" for any other."""
    if word == base:
        return ""
    if tag == "NOUN":
        return "s"
    return next((ending for ending in ("ing", "s") if word.endswith(ending)), "ed")


@lru_cache(65_536)
def bases(word: str) -> tuple[str, ...]:
    """Return the possible lemmas of a word in lower case."""
    return tuple(dict.fromkeys(lemmatiser()(word, tag) for tag in TAGS))


@cache
def capitalised_words() -> frozenset[str]:
    """Return the lemmas of the lexicon that are names and words: "May", "Turkey", "Polish"."""
    common = common_words()
    return frozenset(w for w in lexicon().lemmas() if w.istitle() and w.lower() in common)


@lru_cache(65_536)
def is_common(word: str) -> bool:
    """Test if the lexicon has a word that is written in lower case."""
    return word in common_words()


@cache
def common_words() -> frozenset[str]:
    """Return the lemmas of the lexicon that are written in lower case."""
    return frozenset(lemma for lemma in lexicon().lemmas() if lemma.islower())


def joined(found: Sequence[Unit], at: int) -> str | None:
    """Return the word that two units are if written as one: "web site" as "website"; or None."""
    pair = found[at : at + 2]
    words = len(pair) == 2 and all(unit.kind is UnitKind.WORD for unit in pair)
    return _joined(pair[0].key, pair[1].key) if words else None


@lru_cache(65_536)
def _joined(word1: str, word2: str) -> str | None:
    whole = word1 + word2
    if word1 in WORDS["prefixes"] or whole not in common_words():
        return None
    spaced = next((s for s in (f"{word1} {word2}", f"{word1}-{word2}") if is_common(s)), None)
    found = [lexicon().relation(spaced, tag, whole, tag)[0] for tag in TAGS if spaced]
    return None if {LexicalRelation.SAME, LexicalRelation.SYNONYM}.isdisjoint(found) else whole
