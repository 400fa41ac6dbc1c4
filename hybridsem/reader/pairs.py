"""Pairs of sentences as users give them: their shapes, and checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hybridsem._typing import SentencePairs
from hybridsem._utils.validation import problem
from hybridsem.errors import InputError

PairsInput = object
"""A text, a pair (a tuple of two texts), or many pairs: an iterable, an array (n, 2), a data frame,
an Arrow table, a data set, a mapping of columns, or one of two columns.
"""

OnePair = str | tuple[str, str]
"""A pair, or its first text."""

Columns = Sequence[str] | None
"""The two text columns of a table."""

PAIRS = "two texts, one pair, or many: a list of pairs, a data frame, a table, two columns"
"""The shapes of pairs that methods accept, for messages."""


TextsInput = object
"""A text, or many: an iterable, an array, a column or the records of a data frame or table."""


def texts_in(data: TextsInput, column: str | None = None) -> list[object]:
    """Return the texts of a list, a column or records, unchecked; ``column`` is that of records."""
    from hybridsem.tables import frames  # a single text must start fast

    return frames.texts_in(data, column)


def one_pair(first: PairsInput, second: PairsInput, columns: Columns) -> tuple[str, str] | None:
    """Return the pair in the arguments, checked, or None if they are many pairs."""
    if isinstance(first, tuple) and second is None and len(first) == 2:
        one, two = first
        if isinstance(one, str) or isinstance(two, str):
            first, second = one, two
    if not isinstance(first, str) and not isinstance(second, str):
        return None
    if columns is not None:
        raise InputError(f"columns= is for a table, got {columns!r:.80} for one pair")
    for side, text in ((1, first), (2, second)):
        if (why := problem(text)) is not None:
            hint = "" if isinstance(text, str) else f"; give {PAIRS}"
            raise InputError(f"sentence {side}: {why}{hint}")
    return str(first), str(second)


def many_pairs(first: PairsInput, second: PairsInput = None, columns: Columns = None) -> list[Any]:
    """Return the pairs in the arguments, unchecked."""
    from hybridsem.tables.frames import paired, pairs_in  # a single pair must start fast

    if second is None:
        return pairs_in(first, columns)
    if columns is not None:
        raise InputError("columns= is for a table, and two columns were given")
    return [*paired(first, second)]


def asked_pairs(
    first: PairsInput, second: PairsInput, columns: Columns
) -> tuple[list[tuple[str, str]], bool]:
    """Return the checked pairs in the arguments, and whether there is only one."""
    if (pair := one_pair(first, second, columns)) is not None:
        return [pair], True
    return checked_pairs(many_pairs(first, second, columns)), False


def checked_pairs(pairs: PairsInput) -> list[tuple[str, str]]:
    """Return the pairs as tuples; :class:`InputError` names the row of the first unusable one."""
    checked, given = [], many_pairs(pairs)
    if len(given) == 2 and all(isinstance(text, str) for text in given):
        raise InputError(
            f"one pair is a tuple, or two arguments; got a list, write {(*given,)!r:.80}"
        )
    for row, pair in enumerate(given):
        if (why := pair_problem(pair)) is not None:
            raise InputError(f"pair {row}: {why}")
        checked.append((pair[0], pair[1]))
    return checked


def pair_problem(pair: object) -> str | None:
    """Return why something is not a pair of sentences, or None."""
    if isinstance(pair, (str, bytes)) or not isinstance(pair, Sequence) or len(pair) != 2:
        return f"expected two sentences, got {pair!r:.80}"
    sides = ((side, problem(text)) for side, text in enumerate(pair, start=1))
    return next((f"sentence {side}: {why}" for side, why in sides if why), None)


def of_few_sentences(pairs: SentencePairs, most: int) -> Iterator[SentencePairs]:
    """Split pairs into runs of at most ``most`` distinct sentences."""
    at, seen = 0, set[str]()
    for end, pair in enumerate(pairs):
        seen.update(pair)
        if len(seen) > most:
            yield pairs[at:end]
            at, seen = end, set(pair)
    yield pairs[at:]
