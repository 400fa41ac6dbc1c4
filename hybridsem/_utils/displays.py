"""Displays of objects, dispatched by type. A higher layer registers them:

structures, explanations, amr, judge, search ──> as_text, as_html, summary <── render
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import singledispatch
from typing import NamedTuple


class Facts(NamedTuple):
    """A table of names and values."""

    caption: str
    facts: Mapping[str, object]


class Figures(NamedTuple):
    """A table: rows after their names, ``heads`` (the first that of the names), notes below."""

    caption: str
    heads: Sequence[str]
    rows: Iterable[Sequence[object]]
    notes: Iterable[str] = ()


_loaders: list[Callable[[], object]] = []


def load_with(loader: Callable[[], object]) -> None:
    """Set the function that registers the displays, called at the first use of one."""
    _loaders[:] = [loader]


def _display(shown: object, dispatch: Callable[[type], Callable[..., str]]) -> str:
    """Return the display of an object; without a registered one, its ``repr``."""
    for loader in _loaders:
        loader()
    display = dispatch(type(shown))
    return repr(shown) if display is dispatch(object) else display(shown)


@singledispatch
def as_text(shown: object) -> str:
    """Return an object as plain text."""
    return _display(shown, as_text.dispatch)


@singledispatch
def as_html(shown: object) -> str:
    """Return an object as an HTML fragment for notebooks."""
    return _display(shown, as_html.dispatch)


@singledispatch
def summary(shown: object) -> str:
    """Return an object in one sentence."""
    return _display(shown, summary.dispatch)
