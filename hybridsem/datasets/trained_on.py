"""Hashes of training pairs, by which evaluation recognises them."""

from __future__ import annotations

from collections.abc import Iterable

from hybridsem._utils.store import key_of
from hybridsem.datasets.splits import plain

DIGITS = 16  # the hexadecimal digits of the hash of a pair


def _hashes(pairs: Iterable[tuple[str, str]]) -> set[str]:
    """Return a hash for each distinct pair, in either order, without case and white space."""
    return {key_of(*sorted(map(plain, pair))).hex()[:DIGITS] for pair in pairs}


def hashed(pairs: Iterable[tuple[str, str]]) -> str:
    """Return the hashes of the distinct pairs in one string, from which no text can be read."""
    return "".join(sorted(_hashes(pairs)))


def shared(pairs: Iterable[tuple[str, str]], known: str) -> tuple[int, int]:
    """Return how many distinct pairs are among those of :func:`hashed`, and their number."""
    own = _hashes(pairs)
    return len(own & {known[at : at + DIGITS] for at in range(0, len(known), DIGITS)}), len(own)
