"""Tokenisers for metrics on strings: the embedded word pieces, or OpenAI's cl100k where its file has been downloaded.

Each turns texts into arrays of token numbers. Nothing is cut, and what looks like a special token is text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hybridsem import assets
from hybridsem._extras import extra
from hybridsem._weights import weight_file
from hybridsem.errors import UnknownNameError

__all__ = ["CL100K", "Tokeniser", "tokeniser"]

Ids = npt.NDArray[np.int64]
CL100K = "tiktoken-cl100k"
"""The name of the asset."""

MOST_CHUNKS = 1_000_000
"""Texts between blanks that are kept with their pieces."""

# Text between blanks is tokenised by itself, whatever stands around it; other controls than these are no blanks.
_CHUNKS = re.compile("[^\t\n\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")

_NO_BLANKS = "\v\f\x1c\x1d\x1e\x1f\x85"
"""What ``str.split`` takes for blanks and the encoder's tokeniser does not."""

# Of plain text, the words are what stands between punctuation; the same as the library finds, sooner.
_PLAIN = re.compile(r"[!-~]+")
_WORDS = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")

# How cl100k splits text before it merges bytes: tiktoken_ext/openai_public.py (MIT licence).
_CL100K_SPLIT = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|"
    r"\s+(?!\S)|\s"
)


class Tokeniser(Protocol):
    """Texts to token numbers; ``name`` goes into cards and explanations."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def __call__(self, texts: Sequence[str]) -> list[Ids]:
        """The tokens of each text."""
        ...


def tokeniser(name: str = "auto") -> Tokeniser:
    """The tokeniser ``wordpiece`` or ``cl100k``, or with ``auto`` cl100k if its file is in the cache, else wordpiece.

    Raises :class:`AssetError` where cl100k is asked for and its file (``hybridsem models download tiktoken-cl100k``) is
    missing, :class:`MissingExtraError` where tiktoken is.
    """
    if name not in ("auto", "cl100k", "wordpiece"):
        raise UnknownNameError("tokeniser", name, ("auto", "cl100k", "wordpiece"))
    if name == "cl100k" or (name == "auto" and _has_tiktoken() and assets.is_here(CL100K)):
        return _cl100k(str(assets.path(CL100K)))
    return _word_pieces()


class WordPieces:
    """The embedded encoder's word pieces; those of each distinct text between blanks are looked up once."""

    name = "wordpiece"

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_str(weight_file("tokenizer.json").decode())
        self._known: dict[str, tuple[int, ...]] = {}

    def __call__(self, texts: Sequence[str]) -> list[Ids]:
        """The word pieces of each text."""
        if len(self._known) > MOST_CHUNKS:
            self._known = {}
        return [
            self._ids(_CHUNKS.findall(text) if any(map(text.__contains__, _NO_BLANKS)) else text.split())
            for text in texts
        ]

    def _ids(self, chunks: list[str]) -> Ids:
        known = self._known
        try:
            return np.fromiter(chain.from_iterable(map(known.__getitem__, chunks)), np.int64)
        except KeyError:
            for chunk in set(chunks).difference(known):
                known[chunk] = self._pieces(chunk)
            return self._ids(chunks)

    def _pieces(self, chunk: str) -> tuple[int, ...]:
        if _PLAIN.fullmatch(chunk):
            words = _WORDS.findall(chunk.lower())
        else:
            whole = chunk.encode("utf-8", "replace").decode()  # half a surrogate pair is no text to the library
            normal = self._tokenizer.normalizer.normalize_str(whole)
            words = [word for word, _ in self._tokenizer.pre_tokenizer.pre_tokenize_str(normal)]
        return tuple(piece.id for word in words for piece in self._tokenizer.model.tokenize(word))


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

    def __call__(self, texts: Sequence[str]) -> list[Ids]:
        """The byte pairs of each text."""
        return [np.array(ids, np.int64) for ids in self._encoding.encode_ordinary_batch(list(texts))]


@cache
def _word_pieces() -> WordPieces:
    return WordPieces()


@cache
def _cl100k(file: str) -> Cl100k:
    return Cl100k(file)


def _has_tiktoken() -> bool:
    from importlib.util import find_spec

    return find_spec("tiktoken") is not None
