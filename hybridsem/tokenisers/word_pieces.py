"""The embedded encoder's word pieces of many texts.

    text --blanks--> chunks --letters and marks--> words --the library--> pieces

A word is a run of letters and digits, or a mark. A chunk with anything but printable ASCII is read
as a whole by :class:`Speller`. The pieces of chunks and words are cached, so that the library's
tokeniser is called once for each distinct word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from hybridsem._typing import IntArray
from hybridsem._utils.weights import weight_file
from hybridsem.tokenisers.spelling import CHUNK, MAX_LETTERS, Speller

MAX_REMEMBERED = 500_000
"""The most distinct chunks in the cache, which is then cleared."""

PIECE = np.int32
"""The type of a cached piece; bytes are joined faster than lists."""

_WORD = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")
# Blanks of ``str.split``, which is faster than ``CHUNK``, but not of the tokeniser.
_NO_BLANK = re.compile("[\x0b\x0c\x1c-\x1f\x85]")


class WordPieces:
    """The embedded encoder's word pieces, cached by word. Threads may share it."""

    name = "wordpiece"

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_str(weight_file("tokenizer.json").decode())
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._speller = Speller(self._tokenizer)
        self._chunks, self._words = _Remembered(self._read_chunk), _Remembered(self._read_word)
        for word, piece in self._tokenizer.get_vocab().items():
            if _WORD.fullmatch(word):
                self._words[word] = _packed([piece])

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
        if len(self._chunks) > MAX_REMEMBERED:
            self.forget()
        chunks = CHUNK.findall(text) if _NO_BLANK.search(text) else text.split()
        return b"".join(map(self._chunks.__getitem__, chunks))

    def forget(self) -> None:
        """Clear the cache."""
        self._chunks.clear()
        self._words.clear()

    def _read_chunk(self, chunk: str) -> bytes:
        if chunk.isascii() and chunk.isprintable():
            return b"".join(map(self._words.__getitem__, _WORD.findall(chunk.lower())))
        # The library does not accept half a surrogate pair.
        return self._spelt(chunk.encode("utf-8", "replace").decode())

    def _read_word(self, word: str) -> bytes:
        if len(word) > MAX_LETTERS:
            return self._spelt(word)
        return _packed(piece.id for piece in self._tokenizer.model.tokenize(word))

    def _spelt(self, text: str) -> bytes:
        return _packed(self._speller.pieces("".join(self._speller.forms(text))))


class _Remembered(dict[str, bytes]):
    """The cached results of a function on texts."""

    def __init__(self, function: Callable[[str], bytes]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, text: str) -> bytes:
        self[text] = value = self._function(text)
        return value


def _packed(pieces: Iterable[int]) -> bytes:
    return np.fromiter(pieces, PIECE).tobytes()
