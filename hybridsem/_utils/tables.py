"""Words and tables that are data: a TOML file beside the module that reads them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def read_table(module: str) -> dict[str, Any]:
    """The TOML file with the name of a module, ``__file__``, in its folder."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))


def word_set(text: str) -> frozenset[str]:
    """The words of a text, parted by blanks."""
    return frozenset(text.split())


def word_sets(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The words of each text."""
    return {name: word_set(text) for name, text in table.items()}


def by_word(table: Mapping[str, str]) -> dict[str, str]:
    """``{"role": "word word"}`` as ``{"word": "role"}``; ``_`` is a blank inside a word."""
    return {
        word.replace("_", " "): value for value, words in table.items() for word in words.split()
    }
