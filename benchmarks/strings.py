"""Speed of the metrics on strings, side by side with rouge-score and rank_bm25 (and bm25s) in one
run.

    python benchmarks/strings.py --data ../shared/data [--rounds 3]

Texts: 300 CNN/DailyMail documents, each against its summary and against the next document (ROUGE);
the documents as a collection and their summaries as queries (BM25); Paul Graham's essays cut to
5,000 words (all three). "Tokens given" leaves out the splitting into tokens, with the same tokens
for both; "from text" has each with its own. Seconds are of processor time, for all of it is done by
one thread.
"""

from __future__ import annotations

import argparse
import csv
import json
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rank_bm25 import BM25Plus
from rouge_score.rouge_scorer import RougeScorer

from hybridsem.strings import Bm25Index, Jaccard, Levenshtein, Rouge, Tokens, counts
from hybridsem.tokenisers import tokeniser


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


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the metrics on strings.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()

    def median(run: Callable[[], object]) -> float:
        run()
        spent = []
        for _ in range(options.rounds):
            began = time.process_time()
            run()
            spent.append(time.process_time() - began)
        return float(np.median(spent))

    def line(what: str, seconds: float, base: float | None = None) -> None:
        print(
            f"  {what:46}{1000 * seconds:9.1f} ms" + (f"   x {base / seconds:.1f}" if base else "")
        )

    rows = [
        json.loads(row)
        for row in (options.data / "sage/cnn_dailymail-300.jsonl").open(encoding="utf-8")
    ]
    documents, summaries = [row["text"] for row in rows], [row["summary"] for row in rows]
    texts = [*documents, *summaries]
    tokens = Tokens.of(texts, "wordpiece")
    strings = [[str(one) for one in ids] for ids in np.split(tokens.ids, tokens.starts[1:-1])]
    n = len(documents)
    first = np.concatenate([np.arange(n), np.arange(n)])
    second = np.concatenate([np.arange(n) + n, (np.arange(n) + 1) % n])
    pairs = [(texts[i], texts[j]) for i, j in zip(first, second, strict=True)]

    print(f"ROUGE-1 and -2, {len(pairs)} pairs, {len(tokens.ids)} tokens in {len(texts)} texts")
    scorer = RougeScorer(["rouge1", "rouge2"], tokenizer=Given(texts, strings))
    base = median(lambda: [scorer.score(*pair) for pair in pairs])
    line("rouge_score, tokens given", base)
    line("hybridsem, tokens given", median(lambda: WithTokens(tokens).pairs(first, second)), base)
    own = RougeScorer(["rouge1", "rouge2"])
    base = median(lambda: [own.score(*pair) for pair in pairs])
    line("rouge_score, from text", base)
    line(
        "hybridsem, from text", median(lambda: Rouge(texts, "wordpiece").pairs(first, second)), base
    )

    def fresh() -> object:
        tokeniser("wordpiece").forget()  # type: ignore[attr-defined]
        return Rouge(texts, "wordpiece").pairs(first, second)

    line("hybridsem, from text that was never seen", median(fresh), base)

    print(f"Jaccard, the same pairs, and all {n} x {n} documents")
    sets = median(
        lambda: [
            len(set(a) & set(b)) / len(set(a) | set(b))
            for a, b in zip(strings, strings, strict=True)
        ]
    )
    line("Python sets, tokens given (of each with itself)", sets)
    jaccard = Jaccard(texts, "wordpiece")
    line("hybridsem, counted, the pairs", median(lambda: jaccard.pairs(first, second)))
    line("hybridsem, counted, the block", median(lambda: jaccard.block(np.arange(n), np.arange(n))))

    print(f"BM25+, {n} queries over {n} documents, index and scores, tokens given")
    base = (
        median(lambda: [BM25Plus(strings[:n]).get_scores(query) for query in strings[n : n + 20]])
        / 20
    )
    index = BM25Plus(strings[:n])
    scoring = median(lambda: [index.get_scores(query) for query in strings[n:]])
    building = median(lambda: BM25Plus(strings[:n]))
    line("rank_bm25", building + scoring)

    def indexed() -> object:
        table = counts(tokens)
        return Bm25Index(table[:n]).scores(table[n:])

    line("hybridsem", median(indexed), building + scoring)
    try:
        import bm25s
    except ImportError:
        print("  bm25s is not installed", file=sys.stderr)
    else:
        logging.getLogger("bm25s").setLevel(logging.WARNING)

        def with_bm25s() -> object:
            found = bm25s.BM25(method="bm25+", k1=1.5, b=0.75, delta=1.0)
            found.index(strings[:n], show_progress=False)
            return [found.get_scores(query) for query in strings[n:]]

        line("bm25s", median(with_bm25s), building + scoring)

    with (options.data / "sage/paul_graham_essays.csv").open(encoding="utf-8", newline="") as file:
        essays = [" ".join(max(row, key=len).split()[:5000]) for row in csv.reader(file)]
    long = [essay for essay in essays if len(essay.split()) >= 4000][:8]
    places = np.arange(len(long))
    print(f"{len(long)} pairs of essays of up to 5,000 words")
    beside = list(zip(long, [*long[1:], long[0]], strict=True))
    after = np.roll(places, -1)
    base = median(lambda: [own.score(*pair) for pair in beside])
    line("rouge_score, from text", base)
    line(
        "hybridsem ROUGE, from text",
        median(lambda: Rouge(long, "wordpiece").pairs(places, after)),
        base,
    )
    ids = Tokens.of(long, "wordpiece")
    words = [[str(one) for one in each] for each in np.split(ids.ids, ids.starts[1:-1])]
    scorer = RougeScorer(["rouge1", "rouge2"], tokenizer=Given(long, words))
    base = median(lambda: [scorer.score(*pair) for pair in beside])
    line("rouge_score, tokens given", base)
    line(
        "hybridsem ROUGE, tokens given", median(lambda: WithTokens(ids).pairs(places, after)), base
    )
    base = median(lambda: list(map(BM25Plus(words).get_scores, words)))
    line("rank_bm25, tokens given, each a query", base)

    def long_indexed() -> object:
        table = counts(ids)
        return Bm25Index(table).scores(table)

    line("hybridsem BM25+, tokens given", median(long_indexed), base)
    levenshtein = Levenshtein(long)
    spent = median(lambda: levenshtein.pairs(places, np.roll(places, 1)))
    print(
        f"Levenshtein, {len(long)} pairs of essays of {round(np.mean(list(map(len, long))))} "
        "characters"
    )
    line("hybridsem (rapidfuzz), a pair", spent / max(len(long), 1))


if __name__ == "__main__":
    main()
