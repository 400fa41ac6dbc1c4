"""What perturbations do to a text; :mod:`hybridsem.evaluation.perturbations` has them by name.

Each takes the text and ``draw``, which gives numbers that depend on the text and the seed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.extras import extra
from hybridsem.english.negation import toggled
from hybridsem.evaluation.perturbations.padding import Padding
from hybridsem.tokenisers.named import tokeniser

Draw = Callable[[int], Float64Array]
"""So many numbers drawn evenly from [0, 1)."""

Span = tuple[int, int]


def uppercase(text: str, draw: Draw) -> str:
    """A quarter of all characters; what has no capital of one letter stays (ß)."""
    count = rounded(0.25 * len(text))
    chosen = np.argpartition(draw(len(text)), count)[:count] if count else np.empty(0, int)
    characters = list(text)
    for at in chosen.tolist():
        capital = characters[at].upper()
        if len(capital) == 1 and unicodedata.category(characters[at]) == "Ll":
            characters[at] = capital
    return "".join(characters)


def deletion(text: str, _: Draw) -> str:
    """Every tenth character, but for blanks and for characters that are a word by themselves."""
    characters = characters_of(text)
    blank = [character.isspace() for character in characters]
    last = len(characters) - 1
    for at in range(9, len(characters), 10):
        alone = blank[at - 1] and (at == last or blank[at + 1])
        if not (blank[at] or alone):
            characters[at] = ""
    return "".join(characters)


_DIGITS = str.maketrans("eiao", "3140")
_BASES = re.compile("[eiao](?![\u0300-\u036f])")


def digits(text: str, _: Draw) -> str:
    """Letters with accents stay, whether written as one character or as two."""
    return (
        text.translate(_DIGITS)
        if text.isascii()
        else _BASES.sub(lambda found: found[0].translate(_DIGITS), text)
    )


def negation(text: str, _: Draw) -> str:
    """Each sentence denied, or affirmed where it denies."""
    return toggled(text)


def shuffled(spans_of: Callable[[str], list[Span]], text: str, draw: Draw) -> str:
    """The spans in another order; what stands between them stays in its place."""
    spans = spans_of(text)
    if len(spans) < 2:
        return text
    order = np.argsort(draw(len(spans)), kind="stable")
    if (order[:-1] < order[1:]).all():  # as it was: that is no shuffle
        order = np.roll(order, 1)
    pieces: list[str] = []
    last = 0
    for (start, end), source in zip(spans, order.tolist(), strict=True):
        piece = text[slice(*spans[source])]
        gap = text[last:start] or (
            " " if pieces and _JOIN.fullmatch(pieces[-1][-1] + piece[0]) else ""
        )
        pieces += [gap, piece]
        last = end
    return "".join([*pieces, text[last:]])


def inserted(share: float, position: float, padding: Padding, text: str, _: Draw) -> str:
    """Padding of a share of the text's tokens before the word that stands at the position, 0
    (before the first) to 1 (behind the last). A text without words stays.

    Args: as of :func:`~hybridsem.evaluation.perturbations.insertion`.
    """
    spans = words(text)
    if not spans:
        return text
    ids, _starts = tokeniser("wordpiece")([text])
    given = padding.of(share * len(ids))
    before = rounded(position * len(spans))
    if before == len(spans):
        end = spans[-1][1]
        return f"{text[:end]} {given}{text[end:]}"
    start = spans[before][0]
    glue = "" if before == 0 or text[start - 1].isspace() else " "
    return f"{text[:start]}{glue}{given} {text[start:]}"


def removed(share: float, position: float, text: str, _: Draw) -> str:
    """A span of a share of the text's words taken out; ``position`` is the share of the words that
    are left which stands before it. A text of fewer than two words stays.

    Args: as of :func:`~hybridsem.evaluation.perturbations.removal`.
    """
    spans = words(text)
    if len(spans) < 2:
        return text
    count = min(max(rounded(share * len(spans)), 1), len(spans) - 1)
    first = rounded(position * (len(spans) - count))
    if first + count == len(spans):
        return text[: spans[first - 1][1]] + text[spans[-1][1] :]
    left, right = text[: spans[first][0]], text[spans[first + count][0] :]
    return left + (" " if _JOIN.fullmatch(left[-1:] + right[0]) else "") + right


def inserted_exactly(share: float, position: float, padding: Padding, text: str, _: Draw) -> str:
    """Padding of so many tokens at a character (``position`` is the share of them before it), in
    the middle of a word if that is there. A text without tokens stays.

    Args: as of :func:`~hybridsem.evaluation.perturbations.insertion`.
    """
    count = len(_places(text, tokeniser().name))
    if not count:
        return text
    at = int(position * len(text))
    return text[:at] + padding.exactly(max(int(share * count), 1)) + text[at:]


def removed_exactly(share: float, position: float, text: str, _: Draw) -> str:
    """A span of a share of the tokens, rounded down, taken out; words may lose a part.

    Args: as of :func:`~hybridsem.evaluation.perturbations.removal`.
    """
    places = [*_places(text, tokeniser().name), len(text)]
    gone = int(share * (len(places) - 1))
    first = int(position * (len(places) - 1 - gone))
    return text[: places[first]] + text[places[first + gone] :]


@lru_cache(maxsize=64)
def _places(text: str, _tokeniser: str) -> tuple[int, ...]:
    """Where the tokens of a text begin; the changes of a text are made one after the other."""
    return tuple(tokeniser().places(text).tolist())


_CJK = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOIN = re.compile(rf"[^\W{_CJK}]{{2}}")  # what would be one word where nothing stands between
_WORD = re.compile(rf"[{_CJK}][{_MARKS}]*|[^\s{_CJK}]+")


def words(text: str) -> list[Span]:
    """Where the words stand: between blanks; every Chinese or Japanese character is one."""
    return [match.span() for match in _WORD.finditer(text)]


def characters_of(text: str) -> list[str]:
    """What a reader sees as characters: the extended grapheme clusters of Unicode's annex 29; a
    blank is always one. Raises :class:`MissingExtraError` where there is more than Latin letters,
    without regex.
    """
    if max(text, default="") < FIRST_COMBINING:
        return list(text)
    with extra("regex", "metrics"):
        import regex
    characters: list[str] = regex.findall(r"\s|\X", text)
    return characters


FIRST_COMBINING = "\u0300"
"""Every character before it stands alone."""


def rounded(number: float) -> int:
    """A half is rounded up."""
    return int(number + 0.5)
