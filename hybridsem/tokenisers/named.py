"""Tokenisers for string metrics: the embedded word pieces, or OpenAI's cl100k if downloaded.

Each turns texts into one array of token numbers. Nothing is truncated, and special tokens are text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import chain
from typing import Any, Protocol

import numpy as np

from hybridsem import assets
from hybridsem._typing import IntArray
from hybridsem._utils.extras import extra
from hybridsem._utils.weights import weight_file
from hybridsem.errors import UnknownNameError
from hybridsem.tokenisers.spelling import CHUNK, MAX_LETTERS, Speller

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


MAX_REMEMBERED = 500_000  # the most distinct chunks, and words, in a cache
PIECE = np.int32  # the type of a cached piece; bytes are joined faster than lists

_WORD = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")
# Blanks of ``str.split``, which is faster than ``CHUNK``, but not of the tokeniser.
_NO_BLANK = re.compile("[\x0b\x0c\x1c-\x1f\x85]")


class WordPieces:
    """The embedded encoder's word pieces. A word is a run of letters and digits, or a mark; a chunk
    with anything but printable ASCII is read as a whole by :class:`Speller`. The pieces of chunks
    and words are cached. Threads may share it.
    """

    name = "wordpiece"

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_str(weight_file("tokenizer.json").decode())
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._speller = Speller(self._tokenizer)
        self._chunk = lru_cache(MAX_REMEMBERED)(self._read_chunk)
        self._word = lru_cache(MAX_REMEMBERED)(self._read_word)

    def __call__(self, texts: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Return the word pieces of all texts, and the boundaries of each text's, (n + 1,)."""
        pieces = [self._read(text) for text in texts]
        ids = np.frombuffer(b"".join(pieces), PIECE).astype(np.int64)
        lengths = [len(each) // PIECE().itemsize for each in pieces]
        return ids, np.cumsum([0, *lengths], dtype=np.int64)

    def places(self, text: str) -> IntArray:
        """Return the character at which each word piece begins."""
        found = self._tokenizer.encode(text, add_special_tokens=False)
        return np.fromiter((start for start, _ in found.offsets), np.int64)

    def _read(self, text: str) -> bytes:
        chunks = CHUNK.findall(text) if _NO_BLANK.search(text) else text.split()
        return b"".join(map(self._chunk, chunks))

    def _read_chunk(self, chunk: str) -> bytes:
        if chunk.isascii() and chunk.isprintable():
            return b"".join(map(self._word, _WORD.findall(chunk.lower())))
        # The library does not accept half a surrogate pair.
        return self._spelt(chunk.encode("utf-8", "replace").decode())

    def _read_word(self, word: str) -> bytes:
        if len(word) > MAX_LETTERS:
            return self._spelt(word)
        return _packed(piece.id for piece in self._tokenizer.model.tokenize(word))

    def _spelt(self, text: str) -> bytes:
        return _packed(self._speller.pieces("".join(self._speller.forms(text))))


def _packed(pieces: Iterable[int]) -> bytes:
    return np.fromiter(pieces, PIECE).tobytes()
