"""Words and tables in a TOML file next to the module that uses them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def read_table(module: str) -> dict[str, Any]:
    """Read the TOML file that has the name of ``module`` (its ``__file__``)."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text, split at blanks."""
    return frozenset(text.split())


def spaced(text: str) -> list[str]:
    """Return the words of a text; ``_`` is a blank inside a word."""
    return [word.replace("_", " ") for word in text.split()]


def word_sets(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return the words of each text."""
    return {name: word_set(text) for name, text in table.items()}


def by_word(table: Mapping[str, str]) -> dict[str, str]:
    """Turn ``{"role": "word word"}`` into ``{"word": "role"}``, as :func:`spaced` does."""
    return {word: value for value, words in table.items() for word in spaced(words)}
