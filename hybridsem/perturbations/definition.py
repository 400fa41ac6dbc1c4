"""A perturbation: a pure function of text and seed; padding and gaps of any measure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.errors import InputError
from hybridsem.perturbations.changes import Draw, inserted, removed
from hybridsem.perturbations.padding import Padding

__all__ = ["PLACES", "Perturbation", "insertion", "removal"]

MAX_SHARE = 100
LATIN = Padding()
PLACES = {
    0.0: ("start", "at the start"),
    0.5: ("middle", "in the middle"),
    1.0: ("end", "at the end"),
}
"""What positions are called: in a name, and in its summary."""


@dataclass(frozen=True)
class Perturbation:
    """A change of texts; ``share`` and ``position`` are those of padding and gaps, else None."""

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


def insertion(share: float, position: float, filler: str | None = None) -> Perturbation:
    """Padding put in before a word of the text.

    Tokens are the embedded encoder's word pieces; the words of the padding are whole, so it may
    have a few more. The seed changes nothing; a blank text stays blank. Raises
    :class:`InputError` for a share or a position that is out of range.

    Args:
        share: How many tokens of padding, as a share of the text's, above 0 and below 100.
        position: Before which word, 0 (the first) to 1 (behind the last).
        filler: Text to pad with, repeated where it is too short; None: Latin words at random.
    """
    _check(share, position, below=MAX_SHARE)
    if filler is not None and not filler.split():
        raise InputError(f"filler needs at least one word, got {filler!r}")
    change = partial(inserted, share, position, LATIN if filler is None else Padding(filler))
    return _measured(
        "insertion", "filler, {share} of the tokens, added {place}", change, share, position
    )


def removal(share: float, position: float) -> Perturbation:
    """A span of words taken out: ``share`` of them, with ``position`` of the rest before it.

    At least one word is taken out and at least one is left; a text of one word stays. The seed
    changes nothing.
    """
    _check(share, position, below=1)
    change = partial(removed, share, position)
    return _measured(
        "removal", "a span of {share} of the words taken out {place}", change, share, position
    )


def _measured(
    kind: str, summary: str, change: Callable[[str, Draw], str], share: float, position: float
) -> Perturbation:
    short, place = PLACES.get(position, (f"{100 * position:g}", f"at {100 * position:g} %"))
    described = summary.format(share=f"{100 * share:g} %", place=place)
    return Perturbation(f"{kind}-{100 * share:g}-{short}", kind, described, change, share, position)


def _check(share: float, position: float, below: int) -> None:
    if not 0 < share < below:
        raise InputError(f"share is above 0 and below {below}, got {share!r}")
    if not 0 <= position <= 1:
        raise InputError(f"position is from 0 (start) to 1 (end), got {position!r}")


def _drawn(name: str, text: str, seed: int, count: int) -> Float64Array:
    digest = hashlib.sha256(f"{name}\0{seed}\0{text}".encode("utf-8", "surrogatepass")).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "little"))).random(count)
