"""Perturbations of a text by name: superficial, semantic, insertions, removals (SAGE, app. A).

    PERTURBATIONS["word-shuffle"](text, seed=0)     -> the changed text
    insertion(0.3, 0.5, filler="…")(text)           one with your own share and position

A perturbation is a pure function of text and seed: its draws depend on these two and its name, not
on other texts, their order, or the machine. A text in which it finds nothing to change is returned
unchanged.

    characters   grapheme clusters: a letter with its accents, an emoji with its skin tone
    words        separated by blanks; every Chinese or Japanese character is a word
    sentences    separated by closing marks and blank lines

Blanks between words and sentences keep their places when these are shuffled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.english.sentences import sentences
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.perturbations.changes import (
    SUMMARIES,
    Draw,
    Padding,
    deletion,
    digits,
    inserted,
    inserted_exactly,
    negation,
    removed,
    removed_exactly,
    shuffled,
    uppercase,
    words,
)

MAX_SHARE = 100
LATIN = Padding()
PLACES = {
    0.0: ("start", "at the start"),
    0.5: ("middle", "in the middle"),
    1.0: ("end", "at the end"),
}
"""The names of positions, in a name and in its summary."""


@dataclass(frozen=True)
class Perturbation:
    """A change of texts; ``share`` and ``position`` are those of insertions and removals, else
    None.

    With ``exact``, insertions and removals are measured as by SAGE's authors.

    >>> from hybridsem.evaluation.perturbations import perturbation
    >>> shuffle = perturbation("word-shuffle")
    >>> shuffle("One two three.", seed=1) == shuffle("One two three.", seed=1)
    True
    """

    name: str
    kind: str
    summary: str
    change: Callable[[str, Draw], str]
    share: float | None = None
    position: float | None = None
    exact: bool = False

    def __call__(self, text: str, seed: int = 0) -> str:
        """Return the changed text, a blank one unchanged. Draws depend on seed, text and name."""
        if not isinstance(text, str):
            raise InputError(f"expected a string, got {text!r:.80} ({type(text).__name__})")
        return self.change(text, partial(_drawn, self.name, text, seed))


def insertion(
    share: float, position: float, filler: str | None = None, *, exact: bool = False
) -> Perturbation:
    """Insert padding before a word of the text: ``share`` of its tokens, above 0 and below 100.

    The word's ``position`` is from 0 (the first) to 1 (after the last). ``filler`` is text to pad
    with, repeated if too short; None: Latin words at random. Tokens are the embedded encoder's word
    pieces; words of the padding stay whole, so it may have a few more. The seed has no effect. With
    ``exact``, as in SAGE: exactly that number of tokens, at a character and not before a word;
    tokens are then cl100k's if its file was downloaded. Raises :class:`InputError` for a share or a
    position out of range, or a filler without a word. Args: ``exact`` measures as the paper does.

    >>> insertion(0.3, 0.5, filler="and so on")("A text of your own.")
    'A text of and so your own.'
    """
    if filler is not None and not filler.split():
        raise InputError(f"filler needs at least one word, got {filler!r}")
    padding = LATIN if filler is None else Padding(filler)
    how, change = ("exactly ", inserted_exactly) if exact else ("", inserted)
    summary = f"filler, {how}{{share}} of the tokens, added {{place}}"
    made = partial(change, share, position, padding)
    return _measured("insertion", summary, made, share, position, exact, below=MAX_SHARE)


def removal(share: float, position: float, *, exact: bool = False) -> Perturbation:
    """Remove a span of words: ``share`` of them, above 0 and below 1; at least one, and one is
    left.

    ``position`` is the share of the other words before the span, 0 to 1. A text of one word stays.
    The seed has no effect. With ``exact``, as in SAGE, a span of tokens: cl100k's if its file was
    downloaded, otherwise word pieces. Raises :class:`InputError` for values out of range.

    >>> removal(0.4, 0.0)("A text of your own.")
    'of your own.'
    """
    what, change = ("tokens", removed_exactly) if exact else ("words", removed)
    summary = f"a span of {{share}} of the {what} taken out {{place}}"
    made = partial(change, share, position)
    return _measured("removal", summary, made, share, position, exact, below=1)


def _measured(
    kind: str,
    summary: str,
    change: Callable[[str, Draw], str],
    share: float,
    position: float,
    exact: bool,
    below: int,
) -> Perturbation:
    """Return a perturbation with its measure in name and summary."""
    if not 0 < share < below:
        raise InputError(f"share is above 0 and below {below}, got {share!r}")
    if not 0 <= position <= 1:
        raise InputError(f"position is from 0 (start) to 1 (end), got {position!r}")
    at = 100 * position
    short, place = PLACES.get(position, (f"{at:g}", f"at {at:g} %"))
    name = f"{kind}-{100 * share:g}-{short}{'-exact' if exact else ''}"
    summary = summary.format(share=f"{100 * share:g} %", place=place)
    return Perturbation(name, kind, summary, change, share, position, exact)


def _drawn(name: str, text: str, seed: int, count: int) -> Float64Array:
    digest = hashlib.sha256(f"{name}\0{seed}\0{text}".encode("utf-8", "surrogatepass")).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "little"))).random(count)


def _described(kind: str, **changes: Callable[[str, Draw], str]) -> tuple[Perturbation, ...]:
    """Return changes with their summaries in ``changes.toml``."""
    return tuple(
        Perturbation(name, kind, SUMMARIES[name], change) for name, change in changes.items()
    )


def perturbation(name: str) -> Perturbation:
    """Return the perturbation of that name. Raises :class:`UnknownNameError` if there is none.

    >>> perturbation("uppercase").kind
    'superficial'
    """
    if name not in PERTURBATIONS:
        raise UnknownNameError("perturbation", name, PERTURBATIONS)
    return PERTURBATIONS[name]


SUPERFICIAL = _described("superficial", uppercase=uppercase, deletion=deletion, digits=digits)
"""Changes that keep the meaning."""

_SHUFFLES = {
    "sentence-shuffle": partial(shuffled, sentences),
    "word-shuffle": partial(shuffled, words),
}
SEMANTIC = _described("semantic", negation=negation, **_SHUFFLES)
"""Changes of the meaning or of the order."""

INSERTIONS = tuple(insertion(share, position) for share in (0.15, 0.5, 1.0) for position in PLACES)
"""Filler of a share of the length, at each place."""

REMOVALS = tuple(removal(share, position) for share in (0.15, 0.5, 0.9) for position in PLACES)
"""Removed spans of a share of the length, at each place."""

EXACT = {
    **{one: insertion(one.share or 0, one.position or 0, exact=True) for one in INSERTIONS},
    **{one: removal(one.share or 0, one.position or 0, exact=True) for one in REMOVALS},
}
"""Insertions and removals as SAGE's authors measure them, for each of ours."""

_OURS = (*SUPERFICIAL, *SEMANTIC, *INSERTIONS, *REMOVALS)
PERTURBATIONS: Mapping[str, Perturbation] = MappingProxyType(
    {change.name: change for change in (*_OURS, *EXACT.values())}
)
"""All perturbations by name."""

RETRIEVAL = tuple(change for change in _OURS if change.share in (None, 0.15, 0.5))
"""The eighteen of retrieval robustness."""
