"""Speed of the metrics on strings, side by side with rouge-score, rank_bm25 and bm25s.

    python -m benchmarks.strings --data ../shared/data [--rounds 3] [--documents 300] [--words 5000]

Texts: CNN/DailyMail documents, each against its summary and against the next document (ROUGE,
Jaccard); the documents as a collection and their summaries as queries (BM25); Paul Graham's essays
cut to 5,000 words (all of them). "Tokens given" leaves out the splitting into tokens, with the same
tokens for both; "from text" has each with its own.
"""

from __future__ import annotations

import argparse
import csv
import json
import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.timing import Run, each, machine, show_compared
from hybridsem._typing import IntArray
from hybridsem.strings import Bm25Index, Jaccard, Levenshtein, Rouge, Tokens, counts
from hybridsem.tokenisers import tokeniser

Runs = dict[str, Run]


class Given:
    """Tokens that are there already, for rouge_score."""

    def __init__(self, texts: list[str], tokens: list[list[str]]) -> None:
        self.by_text = dict(zip(texts, tokens, strict=True))

    def tokenize(self, text: str) -> list[str]:
        return self.by_text[text]


class WithTokens(Rouge):
    """ROUGE over tokens that are there already."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.tokeniser = tokens.tokeniser
        self._counts = {n: counts(tokens, n) for n in (1, 2)}


def split(texts: list[str]) -> tuple[Tokens, list[list[str]]]:
    """Return the tokens of texts, as ours and as strings."""
    tokens = Tokens.of(texts, "wordpiece")
    parts = np.split(tokens.ids, tokens.starts[1:-1])
    return tokens, [[str(number) for number in ids] for ids in parts]


def rouge(texts: list[str], first: IntArray, second: IntArray) -> tuple[Runs, Runs]:
    """Return runs over given tokens, and from text."""
    from rouge_score.rouge_scorer import RougeScorer

    tokens, strings = split(texts)
    pairs = [(texts[i], texts[j]) for i, j in zip(first, second, strict=True)]
    own, given = RougeScorer(["rouge1", "rouge2"]), Given(texts, strings)
    told = RougeScorer(["rouge1", "rouge2"], tokenizer=given)

    def fresh() -> object:
        tokeniser("wordpiece").forget()  # type: ignore[attr-defined]
        return Rouge(texts, "wordpiece").pairs(first, second)

    return (
        {
            "rouge_score, tokens given": lambda: [told.score(*pair) for pair in pairs],
            "hybridsem, tokens given": lambda: WithTokens(tokens).pairs(first, second),
        },
        {
            "rouge_score, from text": lambda: [own.score(*pair) for pair in pairs],
            "hybridsem, from text": lambda: Rouge(texts, "wordpiece").pairs(first, second),
            "hybridsem, from text that was never seen": fresh,
        },
    )


def bm25(tokens: Tokens, strings: list[list[str]], documents: int) -> Runs:
    """Return runs of indexing documents and scoring the other texts as queries, tokens given."""
    import bm25s
    from rank_bm25 import BM25Plus

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    queries = strings[documents:] or strings

    def peer() -> object:
        index = bm25s.BM25(method="bm25+", k1=1.5, b=0.75, delta=1.0)
        index.index(strings[:documents], show_progress=False)
        return [index.get_scores(query) for query in queries]

    def own() -> object:
        table = counts(tokens)
        rest = table[documents:] if len(strings) > documents else table
        return Bm25Index(table[:documents]).scores(rest)

    return {
        "rank_bm25": lambda: list(map(BM25Plus(strings[:documents]).get_scores, queries)),
        "bm25s": peer,
        "hybridsem": own,
    }


def show(title: str, runs: Runs, rounds: int, count: int) -> None:
    """Print the milliseconds of an item."""
    print(title)
    show_compared(each(runs), rounds, count)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--words", type=int, default=5_000, help="of an essay")
    options = parser.parse_args(arguments)
    lines = (options.data / "sage/cnn_dailymail-300.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines[: options.documents]]
    texts = [row["text"] for row in rows] + [row["summary"] for row in rows]
    n = len(rows)
    first = np.concatenate([np.arange(n), np.arange(n)])
    second = np.concatenate([np.arange(n) + n, (np.arange(n) + 1) % n])
    print(machine("rouge-score", "rank-bm25", "bm25s", "rapidfuzz"))
    for runs in rouge(texts, first, second):
        show(f"ROUGE-1 and -2, {len(first)} pairs", runs, options.rounds, len(first))
    jaccard = Jaccard(texts, "wordpiece")
    pairs = partial(jaccard.pairs, first, second)
    show("Jaccard, the same pairs", {"hybridsem, counted": pairs}, options.rounds, len(first))
    block = partial(jaccard.block, np.arange(n), np.arange(n))
    show(f"Jaccard, {n} x {n}", {"hybridsem, counted": block}, options.rounds, n * n)
    show(f"BM25+, {n} queries, {n} documents", bm25(*split(texts), n), options.rounds, n)
    with (options.data / "sage/paul_graham_essays.csv").open(encoding="utf-8", newline="") as file:
        words = [max(row, key=len).split()[: options.words] for row in csv.reader(file)]
    long = [" ".join(essay) for essay in words if len(essay) >= 0.8 * options.words][:8]
    places = np.arange(len(long))
    after = np.roll(places, -1)
    for runs in rouge(long, places, after):
        show(f"ROUGE, {len(long)} pairs of essays", runs, options.rounds, len(long))
    show(f"BM25+, {len(long)} essays", bm25(*split(long), len(long)), options.rounds, len(long))
    levenshtein = partial(Levenshtein(long).pairs, places, after)
    show("Levenshtein", {"hybridsem (rapidfuzz)": levenshtein}, options.rounds, len(long))


if __name__ == "__main__":
    main()
