"""Changes of a text by name: superficial ones, those of its meaning, filler put in, spans taken out
(SAGE, appendix A).

    PERTURBATIONS["word-shuffle"](text, seed=0)     -> the changed text
    insertion(0.3, 0.5, filler="…")(text)           one of your own measure

A perturbation is a pure function of text and seed: what it draws depends on these two and its own
name, not on other texts, their order, or the machine. A text that it finds nothing to change in
comes back as it is.

    characters   what a reader sees as one: a letter with its accents, an emoji with its skin tone
    words        what stands between blanks; every Chinese or Japanese character is a word
    sentences    by closing marks and blank lines

Blanks between words and sentences stay in their places when these are shuffled.
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
from hybridsem.perturbations.changes import (
    Draw,
    deletion,
    digits,
    inserted,
    negation,
    removed,
    shuffled,
    uppercase,
    words,
)
from hybridsem.perturbations.padding import Filler

__all__ = [
    "INSERTIONS",
    "PERTURBATIONS",
    "REMOVALS",
    "RETRIEVAL",
    "SEMANTIC",
    "SUPERFICIAL",
    "Perturbation",
    "insertion",
    "perturbation",
    "removal",
]


@dataclass(frozen=True)
class Perturbation:
    """A change of texts. ``share`` and ``position`` are those of filler put in and spans taken out,
    else None.
    """

    name: str
    kind: str
    summary: str
    change: Callable[[str, Draw], str]
    share: float | None = None
    position: float | None = None

    def __call__(self, text: str, seed: int = 0) -> str:
        """The changed text; raises :class:`InputError` for what is no string."""
        if not isinstance(text, str):
            raise InputError(f"expected a string, got {text!r:.80} ({type(text).__name__})")
        return self.change(text, partial(_drawn, self.name, text, seed))


def perturbation(name: str) -> Perturbation:
    """The perturbation of that name; :class:`UnknownNameError` suggests the nearest."""
    if name not in PERTURBATIONS:
        raise UnknownNameError("perturbation", name, PERTURBATIONS)
    return PERTURBATIONS[name]


def insertion(share: float, position: float, filler: str | None = None) -> Perturbation:
    """Filler put in before the word at ``position`` (0 start, 1 end), as many tokens as ``share``
    of the text's.

    Tokens are the embedded encoder's word pieces; the filler's words are whole, so it may have a
    few more. ``filler`` is text of your own, begun anew where it is too short, or None: Latin words
    drawn at random. The seed changes nothing; a blank text stays blank. Raises :class:`InputError`
    for a share that is not between 0 and 100.
    """
    _check(share, position, most=MOST)
    if filler is not None and not filler.split():
        raise InputError(f"filler needs at least one word, got {filler!r}")
    change = partial(inserted, share, position, OWN if filler is None else Filler(filler))
    return _measured(
        "insertion", "filler, {share} of the tokens, added {place}", change, share, position
    )


def removal(share: float, position: float) -> Perturbation:
    """A span of words taken out, ``share`` of the text's, with ``position`` of what is left
    standing before it.

    At least one word is taken out and at least one is left; a text of one word stays. The seed
    changes nothing.
    """
    _check(share, position, most=1)
    change = partial(removed, share, position)
    return _measured(
        "removal", "a span of {share} of the words taken out {place}", change, share, position
    )


OWN = Filler()
MOST = 100
PLACES = {
    0.0: ("start", "at the start"),
    0.5: ("middle", "in the middle"),
    1.0: ("end", "at the end"),
}


def _measured(
    kind: str, summary: str, change: Callable[[str, Draw], str], share: float, position: float
) -> Perturbation:
    short, place = PLACES.get(position, (f"{100 * position:g}", f"at {100 * position:g} %"))
    said = summary.format(share=f"{100 * share:g} %", place=place)
    return Perturbation(f"{kind}-{100 * share:g}-{short}", kind, said, change, share, position)


def _check(share: float, position: float, most: int) -> None:
    if not 0 < share < most:
        raise InputError(f"share is above 0 and below {most}, got {share!r}")
    if not 0 <= position <= 1:
        raise InputError(f"position is from 0 (start) to 1 (end), got {position!r}")


def _drawn(name: str, text: str, seed: int, count: int) -> Float64Array:
    digest = hashlib.sha256(f"{name}\0{seed}\0{text}".encode("utf-8", "surrogatepass")).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "little"))).random(count)


SUPERFICIAL = (
    Perturbation(
        "uppercase",
        "superficial",
        "25 % of the characters, drawn at random, in capitals",
        uppercase,
    ),
    Perturbation(
        "deletion", "superficial", "every 10th character deleted, words kept apart", deletion
    ),
    Perturbation("digits", "superficial", "e, i, a, o written 3, 1, 4, 0", digits),
)
SEMANTIC = (
    Perturbation(
        "negation",
        "semantic",
        "each sentence denied, or affirmed where it denies, by patterns",
        negation,
    ),
    Perturbation(
        "sentence-shuffle", "semantic", "sentences in another order", partial(shuffled, sentences)
    ),
    Perturbation("word-shuffle", "semantic", "words in another order", partial(shuffled, words)),
)
INSERTIONS = tuple(insertion(share, position) for share in (0.15, 0.5, 1.0) for position in PLACES)
REMOVALS = tuple(removal(share, position) for share in (0.15, 0.5, 0.9) for position in PLACES)

PERTURBATIONS: Mapping[str, Perturbation] = MappingProxyType(
    {one.name: one for one in (*SUPERFICIAL, *SEMANTIC, *INSERTIONS, *REMOVALS)}
)
RETRIEVAL = tuple(one for one in PERTURBATIONS.values() if one.share in (None, 0.15, 0.5))
"""The eighteen of retrieval robustness."""
