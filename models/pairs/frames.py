"""Edits that put a whole sentence into another: denied, believed, supposed, joined."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.corpora.inflection import inflected
from hybridsem._utils.tables import read_table
from hybridsem.english.signatures import Complement, signature
from models.pairs.base import Whole

__all__ = ["SIGNS", "Made", "asserted", "framed", "joined", "opened"]

Made = tuple[str, str, str]
"""A kind and two sentences."""

SIGNS = {"+": "entails", "-": "contradicts", "o": "differs"}
"""What a sign of ``hybridsem/english/signatures.py`` makes of a pair."""
_TABLES = read_table(__file__)
_THAT = _TABLES["that"]


def asserted(whole: Whole) -> Iterator[Made]:
    """As in "It is not true that he left", "It is true that he left"."""
    for kind, frames in _TABLES["truth"].items():
        yield kind, f"{whole.draw(frames)[0]} {whole.body}.", whole.text


def framed(whole: Whole) -> Iterator[Made]:
    """As in "She knows that he left": he did. "She thinks that he left": perhaps."""
    options = [(verb, False) for verb in (_THAT["affirmed"] + _THAT["either"]).split()]
    options += [(verb, True) for verb in _THAT["either"].split()]
    by_label: dict[str, list[tuple[str, bool]]] = {}
    for verb, denied in options:
        known = signature(verb, Complement.THAT) or "oo"
        by_label.setdefault(SIGNS[known[denied]], []).append((verb, denied))
    for label, some in by_label.items():
        verb, denied = whole.draw(some)[0]
        if denied:
            said = f"{'did' if whole.is_past else 'does'} not {verb}"
        else:
            said = inflected(verb, "VBD" if whole.is_past else "VBZ") or verb
        who = whole.draw(_THAT["people"])[0]
        yield f"embedded-{label}", f"{who} {said} that {whole.body}.", whole.text
    yield "doubtful", f"{whole.draw(_THAT['doubtful'])[0]} {whole.body}.", whole.text


def opened(whole: Whole) -> Iterator[Made]:
    """As in "In fact, he left", "Allegedly, he left"."""
    if whole.begins_plainly:
        for kind, openers in _TABLES["openers"].items():
            yield kind, f"{whole.draw(openers)[0]} {whole.body}.", whole.text


def joined(whole: Whole) -> Iterator[Made]:
    """As in "If he left, …", "Because he left, …", "He left, and it rained"."""
    for kind, frames in _TABLES["joined"].items():
        yield kind, whole.draw(frames)[0].format(whole.body), whole.text
    if whole.other and "," not in whole.text:
        yield "and", f"{whole.text[:-1]}, and {whole.other}.", whole.text
        yield "or", whole.text, f"{whole.text[:-1]}, or {whole.other}."
