"""Negation toggled by patterns: a sentence that denies affirms, one that affirms denies.

Tables of English words, no parser: in each sentence the first word that they know is exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hybridsem._sentences import sentences

__all__ = ["toggled"]

_AUXILIARIES = "am is are was were has have had will would can could shall should may might must do does did"
VERBS = tuple(_AUXILIARIES.split())
SHORT = r"(?:i|you|we|they|he|she|it|that|there)['’](?:m|re|s|ve|ll|d)"
"""A pronoun with an auxiliary: ``she's``, ``they'll``."""

CONTRACTED = {f"{verb}n't": verb for verb in VERBS if verb not in ("am", "may", "will", "can", "shall")}
CONTRACTED |= {"won't": "will", "can't": "can", "cannot": "can", "shan't": "shall", "ain't": "is"}

AFFIRMED = {
    "never": "always",
    "no longer": "still",
    "no one": "someone",
    "nobody": "somebody",
    "nothing": "something",
    "nowhere": "somewhere",
    "none": "all",
    "no": "some",
    "neither": "both",
    "without": "with",
}
"""Words that deny, and what affirms in their place."""

DENIED = {affirms: denies for denies, affirms in AFFIRMED.items()}
DENIED |= {"everyone": "no one", "everybody": "nobody", "everything": "nothing", "everywhere": "nowhere", "every": "no"}


def _any(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first, whichever apostrophes and blanks they have."""
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(longest_first).replace("'", "['’]").replace(" ", r"\s+")


_END = r"\b(?!['’]\w)"
_AUXILIARY = rf"(?P<verb>{SHORT}|{_any(VERBS)})"
_DENYING = re.compile(
    rf"\b(?:(?P<contracted>{_any(CONTRACTED)})|{_AUXILIARY}\s+not|(?P<word>{_any(AFFIRMED)})(?!,)){_END}",
    re.IGNORECASE,
)
_VERB = re.compile(rf"\b{_AUXILIARY}{_END}", re.IGNORECASE)
_AFFIRMING = re.compile(rf"\b(?P<word>{_any(DENIED)}){_END}", re.IGNORECASE)


def toggled(text: str) -> str:
    """The text with each sentence's polarity turned; a sentence in which no pattern is found stays as it is.

    What denies goes first (``isn't`` and ``is not`` to ``is``, ``never`` to ``always``); where nothing denies, the
    first auxiliary gets a ``not``; where there is none, a word such as ``everyone`` becomes its opposite.
    """
    pieces, last = [], 0
    for start, end in sentences(text):
        for pattern, change in ((_DENYING, _affirmed), (_VERB, _negated), (_AFFIRMING, _opposite)):
            if (found := _first(pattern, text, start, end)) is not None:
                pieces += [text[last : found.start()], change(found)]
                last = found.end()
                break
    return "".join([*pieces, text[last:]])


def _first(pattern: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    """The first match that is no name: ``Will`` and ``May`` within a sentence are passed over."""
    for found in pattern.finditer(text, start, end):
        if found.start() == start or not found.group().istitle():
            return found
    return None


def _affirmed(found: re.Match[str]) -> str:
    if verb := found["verb"]:
        return verb
    kept = found["contracted"] or found["word"]
    plain = " ".join(kept.lower().replace("’", "'").split())
    return _cased(CONTRACTED.get(plain) or AFFIRMED[plain], kept)


def _negated(found: re.Match[str]) -> str:
    verb = found["verb"]
    return f"{verb} {'NOT' if verb.isupper() and len(verb) > 1 else 'not'}"


def _opposite(found: re.Match[str]) -> str:
    return _cased(DENIED[found["word"].lower()], found["word"])


def _cased(word: str, as_in: str) -> str:
    if as_in.isupper():
        return word.upper()
    return word[0].upper() + word[1:] if as_in[0].isupper() else word
