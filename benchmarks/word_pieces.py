"""Speed of the embedded word pieces: over arrays, by a plain dictionary, by the library alone.

    python benchmarks/word_pieces.py --data ../shared/data [--rounds 5]

Texts: the sentences of STSb's development set and SICK's training set; 300 CNN/DailyMail documents
and their summaries; SciFact's abstracts; Paul Graham's essays. "New" begins with no words known but
the vocabulary, "again" with all of them, as for texts that are compared with many others.

The plain version remembers the pieces of words, and of everything that stands between blanks; it
asks the tokenizers library for words that it has not seen. The library alone reads the texts in one
batch; where it cannot hold a word (emoji, other scripts) it has other pieces, so it is compared on
ASCII. The others must have the same pieces, or the benchmark fails.

Seconds are of processor time on one thread: the median of the rounds, in which the versions take
turns.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import numpy as np
from tokenizers import Tokenizer

from hybridsem._typing import IntArray
from hybridsem._utils.weights import weight_file
from hybridsem.tokenisers.spelling import Legible
from hybridsem.tokenisers.word_pieces import WordPieces

Pieces = tuple[IntArray, IntArray]


def library() -> Tokenizer:
    tokenizer = Tokenizer.from_str(weight_file("tokenizer.json").decode())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


class Memory(dict[str, bytes]):
    """What a function gives for each text, kept."""

    def __init__(self, function: Callable[[str], bytes]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, text: str) -> bytes:
        self[text] = self._function(text)
        return self[text]


class PlainDictionary:
    """The pieces of what stands between blanks in a dictionary; the library splits new words."""

    _chunks = re.compile("[^\t\n\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
    _other_blanks = re.compile("[\x0b\x0c\x1c-\x1f\x85]")
    _words = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")

    def __init__(self) -> None:
        self._tokenizer = library()
        self._legible = Legible(self._tokenizer)
        self._of_chunk, self._of_word = Memory(self._read_chunk), Memory(self._read_word)
        for word, piece in self._tokenizer.get_vocab().items():
            if self._words.fullmatch(word):
                self._of_word[word] = np.int32(piece).tobytes()

    def __call__(self, texts: Sequence[str]) -> Pieces:
        known = self._of_chunk.__getitem__
        pieces = [
            b"".join(map(known, (self._chunks.findall if odd else str.split)(text)))
            for text in texts
            for odd in [self._other_blanks.search(text)]
        ]
        ids = np.frombuffer(b"".join(pieces), np.int32).astype(np.int64)
        return ids, np.cumsum([0, *(len(each) // 4 for each in pieces)], dtype=np.int64)

    def _read_chunk(self, chunk: str) -> bytes:
        if chunk.isascii() and chunk.isprintable() and len(chunk) <= 100:
            return b"".join(map(self._of_word.__getitem__, self._words.findall(chunk.lower())))
        ids = self._legible.pieces("".join(self._legible.forms(chunk)))
        return np.array(ids, np.int32).tobytes()

    def _read_word(self, word: str) -> bytes:
        ids = [piece.id for piece in self._tokenizer.model.tokenize(word)]
        return np.array(ids, np.int32).tobytes()


def by_library(tokenizer: Tokenizer, texts: Sequence[str]) -> Pieces:
    pieces = [
        encoding.ids
        for encoding in tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
    ]
    ids = np.array([piece for each in pieces for piece in each], np.int64)
    return ids, np.cumsum([0, *map(len, pieces)], dtype=np.int64)


def read_texts(data: Path) -> dict[str, list[str]]:
    """The texts by what they are."""

    def lines(path: str) -> list[dict[str, str]]:
        with (data / path).open(encoding="utf-8") as stream:
            return [json.loads(line) for line in stream]

    def table(path: str, delimiter: str) -> list[list[str]]:
        with (data / path).open(encoding="utf-8", newline="") as stream:
            return list(csv.reader(stream, delimiter=delimiter))

    news = lines("sage/cnn_dailymail-300.jsonl")
    return {
        "sentences": [
            text
            for row in [*table("sts/stsb-en-dev.csv", ","), *table("sts/SICK_train.txt", "\t")]
            for text in sorted(row, key=len)[-2:]
        ],
        "news": [text for row in news for text in (row["text"], row["summary"])],
        "abstracts": [row["text"] for row in lines("sage/scifact/corpus.jsonl")],
        "essays": [max(row, key=len) for row in table("sage/paul_graham_essays.csv", ",")],
    }


def measure(texts: list[str], rounds: int) -> dict[str, float]:
    """Seconds by what was done: the median of the rounds."""
    in_ascii = [text for text in texts if text.isascii()]
    seconds: dict[str, list[float]] = {}

    def timed(what: str, read: Callable[[Sequence[str]], Pieces], given: list[str]) -> Pieces:
        began = time.process_time()
        pieces = read(given)
        seconds.setdefault(what, []).append(time.process_time() - began)
        return pieces

    for _ in range(rounds):
        arrays, plain, alone = WordPieces(), PlainDictionary(), partial(by_library, library())
        for state in ("new", "again"):
            expected = timed(f"arrays, {state}", arrays, texts)
            check(expected, timed(f"dictionary, {state}", plain, texts))
        expected = timed("arrays, ASCII, again", arrays, in_ascii)
        check(expected, timed("library, ASCII", alone, in_ascii))
    return {what: float(np.median(spent)) for what, spent in seconds.items()}


def check(expected: Pieces, pieces: Pieces) -> None:
    if not all(map(np.array_equal, expected, pieces)):
        raise SystemExit("the versions have other pieces")


COMPARED = {
    "dictionary, new": "arrays, new",
    "dictionary, again": "arrays, again",
    "library, ASCII": "arrays, ASCII, again",
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the embedded word pieces.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    csv.field_size_limit(1 << 24)
    for name, texts in read_texts(options.data).items():
        print(f"{name}: {len(texts)} texts, {sum(map(len, texts)):,} characters")
        seconds = measure(texts, options.rounds)
        for what, base in COMPARED.items():
            print(f"  {base:24}{1000 * seconds[base]:9.1f} ms")
            ratio = seconds[what] / seconds[base]
            print(f"  {what:24}{1000 * seconds[what]:9.1f} ms   x {ratio:.2f}")


if __name__ == "__main__":
    main()
