"""Check arguments: what counts as a sentence, a threshold or a count."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from hybridsem.errors import InputError

BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Invisible letters and signs: the Hangul fillers and the empty braille pattern."""


def problem(text: object) -> str | None:
    """Return the reason why ``text`` is not a sentence, or None. A sentence is a string of valid
    Unicode with a visible character. Tokenisers ignore its control characters.
    """
    if not isinstance(text, str):
        return f"expected a string, got {text!r:.80} ({type(text).__name__})"
    if text.isascii():
        visible = "!" <= text[:1] <= "~" or any("!" <= character <= "~" for character in text)
    else:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            sign = text[error.start]
            return f"character {error.start} is a lone surrogate ({sign!r}): not valid Unicode text"
        visible = any(unicodedata.category(c)[0] not in "CZ" and c not in BLANK for c in text)
    return None if visible else f"the text is empty or blank, got {text!r:.80}"


def check_sentences(sentences: object) -> list[str]:
    """Return the sentences as a list. Raises :class:`InputError` for a single string, for anything
    but a sequence, and for the first unusable sentence, by its index.
    """
    if isinstance(sentences, (str, bytes)):
        raise InputError(
            f"expected a sequence of strings, got one {type(sentences).__name__}; put it in a list"
        )
    if not isinstance(sentences, Iterable):
        raise InputError(
            f"expected a sequence of strings, got {sentences!r:.80} ({type(sentences).__name__})"
        )
    checked: list[str] = []
    for row, text in enumerate(sentences):
        if (why := problem(text)) is not None:
            raise InputError(f"sentence {row}: {why}")
        checked.append(str(text))
    return checked


def usable_texts(texts: Iterable[object], what: str, on_error: str) -> tuple[list[str], list[int]]:
    """Return the texts that are sentences, and their indices. Raises :class:`InputError` for a text
    that is not a sentence, unless ``on_error`` is ``"skip"``.
    """
    check_on_error(on_error)
    usable: dict[int, str] = {}
    for number, text in enumerate(texts):
        if (why := problem(text)) is None:
            usable[number] = str(text)
        elif on_error == "fail":
            raise InputError(f"{what} {number}: {why}")
    return [*usable.values()], [*usable]


def check_on_error(on_error: str) -> None:
    """Raise :class:`InputError` for anything but ``"fail"`` and ``"skip"``."""
    if on_error not in ("fail", "skip"):
        raise InputError(f"unknown on_error, got {on_error!r}; it is 'fail' or 'skip'")


def check_threshold(threshold: object) -> None:
    """Raise :class:`InputError` for a threshold outside the range of scores."""
    if not isinstance(threshold, (int, float)) or not -1 <= threshold <= 1:
        raise InputError(f"a threshold is a number in [-1, 1], got {threshold!r:.80}")


def check_count(count: object, what: str) -> None:
    """Raise :class:`InputError` for anything but None or a whole number from 1."""
    if count is not None and (not isinstance(count, int) or count < 1):
        raise InputError(f"{what} is a whole number from 1, got {count!r:.80}")
