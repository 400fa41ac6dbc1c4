"""Speed of the embedded word pieces, side by side with the tokenizers library alone.

    python benchmarks/word_pieces.py --data ../shared/data [--rounds 5]

Texts: the sentences of STSb's development set and SICK's training set; 300 CNN/DailyMail documents
and their summaries; SciFact's abstracts; Paul Graham's essays. "New" begins with no words known but
the vocabulary, "again" with all of them, as for texts that are compared with many others.

The library alone reads the texts in one batch. Where it cannot hold a word (emoji, other scripts)
it has other pieces, so it is compared on ASCII; there both must have the same pieces, or the
benchmark fails.

A version over arrays of bytes, of 300 lines (version 0.1.0 had it), was 1.4 to 1.7 times as fast
again, and 1.7 to 2.6 times with new words: too little for what it took. This file's first version
in git compares the two.

Seconds are of processor time on one thread: the median of the rounds, in which the versions take
turns.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import numpy as np
from tokenizers import Tokenizer

from hybridsem._typing import IntArray
from hybridsem._utils.weights import weight_file
from hybridsem.tokenisers.named import WordPieces

Pieces = tuple[IntArray, IntArray]


def library() -> Tokenizer:
    tokenizer = Tokenizer.from_str(weight_file("tokenizer.json").decode())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


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
        own, alone = WordPieces(), partial(by_library, library())
        for state in ("new", "again"):
            timed(f"hybridsem, {state}", own, texts)
        own.forget()
        for state in ("new", "again"):
            expected = timed(f"hybridsem, ASCII, {state}", own, in_ascii)
        check(expected, timed("tokenizers, ASCII", alone, in_ascii))
    return {what: float(np.median(spent)) for what, spent in seconds.items()}


def check(expected: Pieces, pieces: Pieces) -> None:
    if not all(map(np.array_equal, expected, pieces)):
        raise SystemExit("the versions have other pieces")


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the embedded word pieces.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    csv.field_size_limit(1 << 24)
    for name, texts in read_texts(options.data).items():
        print(f"{name}: {len(texts)} texts, {sum(map(len, texts)):,} characters")
        seconds = measure(texts, options.rounds)
        base = seconds["tokenizers, ASCII"]
        for what, spent in seconds.items():
            ratio = f"   x {base / spent:.1f}" if "ASCII" in what else ""
            print(f"  {what:26}{1000 * spent:9.1f} ms{ratio}")


if __name__ == "__main__":
    main()
