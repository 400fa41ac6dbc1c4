"""What counts as a sentence: the check that every public entry point makes, once."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from hybridsem.errors import InputError

BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing: the Hangul fillers and the empty braille pattern."""


def problem(text: object) -> str | None:
    """Why ``text`` cannot be used as a sentence, or None.

    A sentence is a string of valid Unicode with at least one visible character. Control characters
    (NUL among them) are allowed beside visible ones and are ignored by the tokenisers.
    """
    if not isinstance(text, str):
        return f"expected a string, got {text!r:.80} ({type(text).__name__})"
    if text.isascii():
        visible = "!" <= text[:1] <= "~" or any("!" <= character <= "~" for character in text)
    else:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            at = error.start
            return (
                f"character {at} is a lone surrogate ({text[at]!r}), so this is not valid "
                "Unicode text"
            )
        visible = any(unicodedata.category(c)[0] not in "CZ" and c not in BLANK for c in text)
    return None if visible else f"the text is empty or blank, got {text!r:.80}"


def check_sentences(sentences: object) -> list[str]:
    """The sentences as a list.

    Raises :class:`InputError` that names the first unusable one by its index, or says that a single
    string was given where a sequence is expected.
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


def usable_texts(texts: object, what: str, on_error: str) -> tuple[list[str], list[int]]:
    """The texts that are sentences, and their numbers from 0.

    Raises :class:`InputError` for a single string, or what is no collection, and for a text that is
    no sentence, unless ``on_error`` is ``"skip"``.
    """
    if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
        raise InputError(f"{what}s are a list of sentences, got {texts!r:.80}")
    if on_error not in ("fail", "skip"):
        raise InputError(f"unknown on_error, got {on_error!r}; it is 'fail' or 'skip'")
    usable: dict[int, str] = {}
    for number, text in enumerate(texts):
        if (why := problem(text)) is None:
            usable[number] = text
        elif on_error == "fail":
            raise InputError(f"{what} {number}: {why}")
    return [*usable.values()], [*usable]


def check_threshold(threshold: object) -> None:
    """:class:`InputError` for a threshold that no score can have."""
    if not isinstance(threshold, (int, float)) or not -1 <= threshold <= 1:
        raise InputError(f"a threshold is a number in [-1, 1], got {threshold!r:.80}")


def check_count(count: object, what: str) -> None:
    """:class:`InputError` for what is neither None nor a whole number from 1."""
    if count is not None and (not isinstance(count, int) or count < 1):
        raise InputError(f"{what} is a whole number from 1, got {count!r:.80}")
