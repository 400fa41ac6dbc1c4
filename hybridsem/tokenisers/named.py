"""Tokenisers for string metrics: the embedded word pieces, or OpenAI's cl100k if downloaded.

Each turns texts into one array of token numbers. Nothing is truncated, and special tokens are text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain
from typing import Any, Protocol

import numpy as np

from hybridsem import assets
from hybridsem._typing import IntArray
from hybridsem._utils.extras import extra
from hybridsem.errors import UnknownNameError
from hybridsem.tokenisers.word_pieces import WordPieces

CL100K = "tiktoken-cl100k"

# The pattern by which cl100k splits text: tiktoken_ext/openai_public.py (MIT licence).
_CL100K_SPLIT = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| "
    r"?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|"
    r"\s+(?!\S)|\s"
)


class Tokeniser(Protocol):
    """Texts to token numbers; ``name`` is in cards and explanations."""

    @property
    def name(self) -> str:
        """The name."""
        ...

    def __call__(self, texts: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Return the tokens of all texts, and the boundaries of each text's tokens, (n + 1,)."""
        ...

    def places(self, text: str) -> IntArray:
        """Return the character at which each token begins."""
        ...


def tokeniser(name: str = "auto") -> Tokeniser:
    """Return the tokeniser ``wordpiece``, ``cl100k``, or ``auto``: cl100k if downloaded.

    Raises :class:`AssetError` (cl100k's file is missing: ``hybridsem models download
    tiktoken-cl100k``), :class:`MissingExtraError` (tiktoken is not installed).
    """
    if name not in ("auto", "cl100k", "wordpiece"):
        raise UnknownNameError("tokeniser", name, ("auto", "cl100k", "wordpiece"))
    has_tiktoken = find_spec("tiktoken") is not None
    if name == "cl100k" or (name == "auto" and has_tiktoken and assets.is_here(CL100K)):
        return _loaded(Cl100k, str(assets.path(CL100K)))
    return _loaded(WordPieces)


@cache
def _loaded(kind: Callable[..., Tokeniser], *arguments: str) -> Tokeniser:
    return kind(*arguments)


class Cl100k:
    """The byte pairs of OpenAI's ``cl100k_base``, which its embedding models read."""

    name = "cl100k"

    def __init__(self, file: str) -> None:
        import base64

        with extra("tiktoken", "metrics"):
            import tiktoken
        with open(file, "rb") as lines:
            ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, lines)}
        self._encoding: Any = tiktoken.Encoding(
            "cl100k_base", pat_str=_CL100K_SPLIT, mergeable_ranks=ranks, special_tokens={}
        )

    def __call__(self, texts: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Return the byte pairs of all texts, and the boundaries of each text's, (n + 1,)."""
        found = self._encoding.encode_ordinary_batch(list(texts))
        ids = np.fromiter(chain.from_iterable(found), np.int64)
        return ids, np.cumsum([0, *map(len, found)], dtype=np.int64)

    def places(self, text: str) -> IntArray:
        """Return the character at which each byte pair begins."""
        _, found = self._encoding.decode_with_offsets(self._encoding.encode_ordinary(text))
        return np.array(found, np.int64)
