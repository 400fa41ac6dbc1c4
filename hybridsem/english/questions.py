"""Questions: texts with a question mark, or with the form of a question where it is left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english.words import FINITE_AUXILIARIES, NOT, PRONOUNS, QUESTION_WORDS
from hybridsem.english.written import UnitKind, units

_SENTENCES = re.compile(r"[.!?]\s+\S")
_WORDS = word_sets(read_table(__file__)["words"])
_VERBS = frozenset(FINITE_AUXILIARIES)
_SUBJECTS = frozenset(PRONOUNS) - frozenset({"her"}) | _WORDS["subjects"]
FIRST = 4  # the units of a clause that are read
_OPENING = re.compile(r"\W*(\w+)(['’]?)")
_OPENERS = QUESTION_WORDS | _VERBS


@lru_cache(4096)
def asks(text: str) -> bool:
    """Test if a text is a question: it ends with a question mark, or it has the form of one.

    >>> [asks(text) for text in ("how do i log in", "Is it open? 😀", "What he said is true.")]
    [True, True, False]
    """
    end = text.rstrip()
    while end and not end[-1].isalnum() and end[-1] not in "?!.,;:)%]":
        end = end[:-1].rstrip()
    end = end.rstrip("\"'”’)] ")
    if end.rstrip("!").endswith("?"):
        return True
    if not end or _SENTENCES.search(end):
        return False
    before, _, last = end.rpartition(", ")  # "it rains, doesn't it"
    opening = _OPENING.match(end)
    conditional = before and opening is not None and opening[1].lower() in _WORDS["conditions"]
    if not conditional and _may_ask(end) and _has_form(end):
        return True
    return last != end and _may_ask(last) and _is_inverted(_words(last))


def has_tag(text: str) -> bool:
    """Test if a text ends with a question that asks for agreement.

    >>> has_tag("It rains, doesn't it?"), has_tag("Does it rain?")
    (True, False)
    """
    words = text.rstrip(" ?!.").lower().rpartition(", ")[2].split()
    return len(words) in (2, 3) and words[0] not in QUESTION_WORDS and words[-1] in PRONOUNS


def tag_question(forms: Sequence[str]) -> set[int]:
    """Return the places of a question at the end that asks for agreement, and states nothing.

    >>> sorted(tag_question(["it", "rains", ",", "does", "n't", "it", "?"]))
    [3, 4, 5]
    """
    end = len(forms) - 1
    while end > 0 and forms[end] in ("?", ".", "!"):
        end -= 1
    start = end - 2 if end > 1 and forms[end - 1] in NOT else end - 1
    if start < 2 or forms[start - 1] != "," or forms[end] not in PRONOUNS:
        return set()
    return set(range(start, end + 1)) if forms[start] in _VERBS | _WORDS["shortened"] else set()


def _may_ask(text: str) -> bool:
    """Test if the first word may open a question; this takes less time than reading the units."""
    first = _OPENING.match(text)
    return first is not None and (bool(first[2]) or first[1].lower() in _OPENERS)


def _words(text: str) -> list[str]:
    found = units(text)[:FIRST]
    return [unit.key for unit in found if unit.kind is not UnitKind.SIGN and unit.key != "not"]


def _has_form(text: str) -> bool:
    """Test if a clause begins as a question does."""
    words = _words(text)
    if not words or words[0] not in QUESTION_WORDS:
        return _is_inverted(words)
    if words[1:2] and words[1] in _VERBS:
        return True
    if words[0] in _WORDS["clauses"] or text.endswith((".", "!")):
        return False
    noun = text.split()[1:2]
    return not noun or (noun[0].islower() and words[1] not in _SUBJECTS)


def _is_inverted(words: list[str]) -> bool:
    """Test if a verb is before its subject: "can I pay", "did Ann call"."""
    if len(words) < 2 or words[0] not in _VERBS:
        return False
    if words[0] in _WORDS["always"]:
        return True
    return words[1] in _SUBJECTS and (words[0] not in _WORDS["imperative"] or words[1] in PRONOUNS)
