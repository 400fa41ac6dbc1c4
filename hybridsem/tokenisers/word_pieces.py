"""The embedded encoder's word pieces of many texts at once, over arrays of bytes.

    bytes --kinds--> words (start, length) --16 bytes each--> numbers of known words --> their
    pieces, joined

A word is a run of letters and digits, or a mark; text between blanks that has anything but
printable ASCII is one by itself, read as :class:`Legible` says. The library's tokeniser is asked
for each distinct word once. Words are known by their bytes, so that looking them up is a few steps
over arrays; longer ones, which are rare, are looked up one by one.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from hybridsem._typing import BoolArray, IntArray
from hybridsem._utils.weights import weight_file
from hybridsem.tokenisers.spelling import Legible

__all__ = ["WordPieces"]

Bytes = npt.NDArray[np.uint8]
Halves = npt.NDArray[np.uint64]
Keys = npt.NDArray[np.uint64]

MOST_PIECES = 2_000_000
"""Of distinct words, that are kept."""

CHARACTERS_AT_ONCE = 1 << 18

WIDTH = 16
"""Bytes of a word that are its key; shorter words have zeros after them, which no word contains."""

BLANK, ALPHANUMERIC, MARK, OTHER = range(4)
_KINDS = np.full(256, OTHER, np.uint8)
_KINDS[33:127] = MARK
_KINDS[[byte for byte in range(128) if chr(byte).isalnum()]] = ALPHANUMERIC
_KINDS[[9, 10, 13, 32]] = BLANK
# What of the vocabulary can be a word.
_WHOLE = re.compile(r"[0-9a-z]{1,16}|[!-/:-@\[-`{-~]")
_LOWER = np.frombuffer(bytes(range(256)).lower(), np.uint8)

# Other blanks of the encoder's tokeniser; what else ``str.split`` takes for blanks is none to it.
_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")

# By which the keys are spread over the table: odd numbers of 64 random bits.
_SPREAD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64)
_MASKS = np.array(
    [(1 << 8 * length) - 1 for length in range(8)] + [2**64 - 1] * (WIDTH - 7), np.uint64
)


class WordPieces:
    """The embedded encoder's word pieces; those of each distinct word are looked up once. Threads
    may share it.
    """

    name = "wordpiece"

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_str(weight_file("tokenizer.json").decode())
        self._legible = Legible(self._tokenizer)
        self._lock = threading.Lock()
        self._forget()

    def __call__(self, texts: Sequence[str]) -> tuple[IntArray, IntArray]:
        """The word pieces of all texts, and where those of each begin, (n + 1,)."""
        with self._lock:
            parts = [self._read(some) for some in _blocks(texts)]
        ids = np.concatenate([np.empty(0, np.int64), *(ids for ids, _ in parts)])
        return ids, np.cumsum(
            np.concatenate([[0], *(lengths for _, lengths in parts)]), dtype=np.int64
        )

    def _forget(self) -> None:
        """Know no words but the vocabulary's, each of which is one piece."""
        self._short = _Table()
        self._long: dict[bytes, int] = {}
        # The pieces of word i are pieces[begin[i]:begin[i] + number[i]]; the arrays have room for
        # more.
        self._words = self._used = 0
        self._begin, self._number, self._pieces = (np.zeros(1 << 15, np.int64) for _ in range(3))
        keys, pieces = self._vocabulary
        self._short.add(keys, self._learn(pieces, np.ones_like(pieces)))

    def _read(self, texts: Sequence[str]) -> tuple[IntArray, IntArray]:
        """The word pieces of texts, and how many each has."""
        if max(self._words, self._used) > MOST_PIECES:  # a word of control characters has no piece
            self._forget()
        # Half a surrogate pair is no text to the library.
        encoded = [
            (text if text.isascii() else _BLANKS.sub(" ", text)).encode("utf-8", "replace")
            for text in texts
        ]
        content = b"\n".join([*encoded, bytes(WIDTH)])
        given = np.frombuffer(content, np.uint8)
        kinds, starts, lengths = _words(given[:-WIDTH])
        numbers = self._numbers(content, given, kinds[starts], starts, lengths)

        lengths = self._number[numbers]
        ids = self._pieces[_ranges(self._begin[numbers], lengths)]
        of_texts = np.searchsorted(starts, np.cumsum([0, *(len(one) + 1 for one in encoded)]))
        return ids, np.diff(np.concatenate([[0], np.cumsum(lengths)])[of_texts])

    def _numbers(
        self, content: bytes, given: Bytes, kinds: Bytes, starts: IntArray, lengths: IntArray
    ) -> IntArray:
        """The number of each word, those that were not known before included."""
        numbers = np.empty(len(starts), np.int64)
        is_short = (kinds != OTHER) & (lengths <= WIDTH)
        short = np.flatnonzero(is_short)
        keys = _keys(_LOWER[given], starts[short], lengths[short])
        found = self._short.find(keys)
        new = found < 0
        if new.any():
            keys = keys[:, new]
            distinct = keys[:, _Table().add(keys, np.arange(keys.shape[1]))]
            words = (
                np.ascontiguousarray(distinct.T, "<u8")
                .view(f"S{WIDTH}")
                .ravel()
                .astype(str)
                .tolist()
            )
            pieces = [
                [piece.id for piece in self._tokenizer.model.tokenize(word)] for word in words
            ]
            self._short.add(
                distinct, self._learn(_array(chain.from_iterable(pieces)), _array(map(len, pieces)))
            )
            found[new] = self._short.find(keys)
        numbers[short] = found
        long = np.flatnonzero(~is_short)
        ends = starts[long] + lengths[long]
        rest = [
            content[start:end]
            for start, end in zip(starts[long].tolist(), ends.tolist(), strict=True)
        ]
        for word in {word: None for word in rest if word not in self._long}:
            own = _array(self._legible.pieces("".join(self._legible.forms(word.decode()))))
            (self._long[word],) = self._learn(own, np.array([len(own)])).tolist()
        numbers[long] = [self._long[word] for word in rest]
        return numbers

    def _learn(self, pieces: IntArray, number: IntArray) -> IntArray:
        """The numbers of new words, given as the pieces of all and how many each has."""
        first, used = self._words, self._used
        self._words, self._used = first + len(number), used + len(pieces)
        self._begin = _put(self._begin, first, used + np.cumsum(number) - number)
        self._number = _put(self._number, first, number)
        self._pieces = _put(self._pieces, used, pieces)
        return np.arange(first, self._words)

    @cached_property
    def _vocabulary(self) -> tuple[Keys, IntArray]:
        """The keys of words that are one piece, and the pieces."""
        whole = {
            word: piece
            for word, piece in self._tokenizer.get_vocab().items()
            if _WHOLE.fullmatch(word)
        }
        given = np.frombuffer(" ".join([*whole, " " * WIDTH]).encode(), np.uint8)
        _, starts, lengths = _words(given)
        return _keys(given, starts, lengths), _array(whole.values())


class _Table:
    """Numbers of keys: a hash table of arrays, in which every step is taken for all keys at
    once.
    """

    def __init__(self) -> None:
        self._count = 0
        self._resize(1 << 14)

    def find(self, keys: Keys) -> IntArray:
        """The number of each key; -1 for one that is not there."""
        (low, high), slots = keys, self._slots(keys)
        found, other = self._look(slots, low, high)
        rows, slots = np.flatnonzero(other), slots[other]
        while len(rows):
            slots = self._next(slots)
            found[rows], other = self._look(slots, low[rows], high[rows])
            rows, slots = rows[other], slots[other]
        return found

    def _look(self, slots: IntArray, low: Halves, high: Halves) -> tuple[IntArray, BoolArray]:
        """The number in each slot, and whether it is that of another key, so that this one may be
        in the next slot.
        """
        numbers = self._numbers[slots]
        return numbers, ((self._low[slots] != low) | (self._high[slots] != high)) & (numbers >= 0)

    def add(self, keys: Keys, numbers: IntArray) -> IntArray:
        """Take keys that are not there, with their distinct numbers; the rows that were taken, one
        for each key.
        """
        if 2 * (self._count + len(numbers)) > len(
            self._numbers
        ):  # at most half of the table is full
            held = self._numbers >= 0
            known = np.stack([self._low[held], self._high[held]]), self._numbers[held]
            self._resize(4 * (self._count + len(numbers)))
            self._place(*known)
        taken = self._place(keys, numbers)
        self._count += len(taken)
        return taken

    def _resize(self, least: int) -> None:
        self._bits = max(least - 1, 1).bit_length()
        self._low, self._high = np.zeros((2, 1 << self._bits), np.uint64)
        self._numbers = np.full(1 << self._bits, -1)

    def _place(self, keys: Keys, numbers: IntArray) -> IntArray:
        (low, high), slots = keys, self._slots(keys)
        rows, taken = np.arange(len(low)), [np.empty(0, np.int64)]
        while len(rows):
            free = np.flatnonzero(self._numbers[slots] < 0)
            self._numbers[slots[free]] = numbers[
                rows[free]
            ]  # of the rows that want the same slot one gets it
            won = free[self._numbers[slots[free]] == numbers[rows[free]]]
            self._low[slots[won]], self._high[slots[won]] = low[rows[won]], high[rows[won]]
            taken.append(rows[won])
            further = (self._low[slots] != low[rows]) | (self._high[slots] != high[rows])
            rows, slots = rows[further], self._next(slots[further])
        return np.concatenate(taken)

    def _slots(self, keys: Keys) -> IntArray:
        mixed = keys[0] * _SPREAD[0] ^ keys[1] * _SPREAD[1]
        slots: IntArray = (mixed >> np.uint64(64 - self._bits)).astype(np.int64)
        return slots

    def _next(self, slots: IntArray) -> IntArray:
        return (slots + 1) & (len(self._numbers) - 1)


def _blocks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Neighbouring texts that are not too much for the arrays; at least one text."""
    at = size = 0
    for end, text in enumerate(texts):
        if end > at and size + len(text) > CHARACTERS_AT_ONCE:
            yield texts[at:end]
            at, size = end, 0
        size += len(text)
    if at < len(texts):
        yield texts[at:]


def _words(given: Bytes) -> tuple[Bytes, IntArray, IntArray]:
    """The kind of every byte, all of one kind where there is another than ASCII before the next
    blanks; and the words' starts and lengths.
    """
    kinds = _KINDS[given]
    if len(odd := np.flatnonzero(kinds == OTHER)):
        blanks = np.concatenate([[-1], np.flatnonzero(kinds == BLANK), [len(kinds)]])
        chunks = np.unique(np.searchsorted(blanks, odd))
        kinds[_ranges(blanks[chunks - 1] + 1, blanks[chunks] - blanks[chunks - 1] - 1)] = OTHER
    # A word begins and ends where another kind does, and at every mark.
    edges = np.concatenate([[True], kinds[1:] != kinds[:-1], [True]])
    marks, visible = kinds == MARK, kinds != BLANK
    starts = np.flatnonzero((edges[:-1] | marks) & visible)
    return kinds, starts, np.flatnonzero((edges[1:] | marks) & visible) + 1 - starts


def _ranges(starts: IntArray, lengths: IntArray) -> IntArray:
    """All places of ranges, one range after the other."""
    ends = np.cumsum(lengths)
    return np.repeat(starts - ends + lengths, lengths) + np.arange(ends[-1] if len(ends) else 0)


def _keys(given: Bytes, starts: IntArray, lengths: IntArray) -> Keys:
    """The bytes of words as two numbers each, (2, n); there are ``WIDTH`` bytes after the last
    word.
    """
    from_every_byte = np.ndarray((len(given) - 7,), "<u8", given, strides=(1,))
    return np.stack(
        [
            from_every_byte[starts + at] & _MASKS[np.clip(lengths - at, 0, WIDTH)]
            for at in range(0, WIDTH, 8)
        ]
    )


def _array(values: Iterable[int]) -> IntArray:
    return np.fromiter(values, np.int64)


def _put(array: IntArray, at: int, values: IntArray) -> IntArray:
    """The array with the values from that place on, made longer where it has no room for them."""
    end = at + len(values)
    if end > len(array):
        array = np.concatenate([array, np.zeros(max(end - len(array), len(array)), np.int64)])
    array[at:end] = values
    return array
