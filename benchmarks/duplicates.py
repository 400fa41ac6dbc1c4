"""What deduplication, the judge and the cache guard do with records that differ in one thing.

    python -m benchmarks.duplicates minimal [--pairs 3000] [--seed 1]
    python -m benchmarks.duplicates harmless [--pairs 2000] [--seed 1]
    python -m benchmarks.duplicates numbered [--lines 20000] [--seed 1] [--reworded]
    python -m benchmarks.duplicates methods --data ../shared/data [--pairs 3000] [--sets "Quora" …]

Shares in percent have exact (Clopper–Pearson) intervals of 95 %. Nothing is chosen on these pairs.
The judge and the encoder learned from part of the labelled sets (their cards name them), so that
their figures are not held out. ``methods`` needs ``datasketch`` for MinHash.
"""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from benchmarks import timing
from benchmarks.command import DATA, print_head, print_row, run
from benchmarks.corpora import records
from benchmarks.corpora.records import RecordPair
from hybridsem import Pipeline
from hybridsem.judge.labels import Label

Pair = tuple[str, str]
CHUNK = 512  # pairs that are read together
EVERYDAY = {
    "MRPC train": "mrpc-train",
    "Quora": "qqp",
    "medical questions": "medical-questions",
    "adversarial paraphrases": "adversarial-paraphrase",
}
PAWS = "PAWS-Wiki dev, 2nd part"
REWRITING = "rewriting"
"""The harmless kind that only ``reworded`` is expected to find."""
EXAMPLES = 3
PERMUTATIONS, LETTERS = 256, 5
"""The size of a MinHash, and the letters of its shingles."""


class Share(NamedTuple):
    """The number of pairs of which something is true, of how many."""

    hits: int
    of: int

    @classmethod
    def true(cls, marks: Sequence[bool]) -> Share:
        """Count what is true."""
        return cls(sum(marks), len(marks))

    def __str__(self) -> str:
        if not self.of:
            return "–"
        from scipy.stats import binomtest

        ends = binomtest(self.hits, self.of).proportion_ci(method="exact")
        low, high = (f"{100 * limit:.1f}" for limit in ends)
        return f"{self.hits}/{self.of}, {100 * self.hits / self.of:.1f} [{low}, {high}]"


Table = dict[str, dict[str, Share]]
"""Shares by row and column."""


def show(first: str, table: Table) -> None:
    """Print a table, whose first column is named ``first``, and what its figures depend on."""
    print_head(first, *next(iter(table.values())))
    for name, row in table.items():
        print_row(name, *row.values())
    print(timing.machine("hybridsem", "onnxruntime"))


def pipeline() -> Pipeline:
    """The default, which remembers what it has read of a chunk."""
    nlp = Pipeline()
    nlp.remember(4 * CHUNK)
    return nlp


def chunks(pairs: Sequence[Pair]) -> Iterator[list[int]]:
    """Yield the places of pairs in chunks in which no line is in two pairs."""
    left = list(range(len(pairs)))
    while left:
        chosen: list[int] = []
        later: list[int] = []
        lines: set[str] = set()
        for at in left:
            if len(chosen) < CHUNK and lines.isdisjoint(pairs[at]):
                chosen.append(at)
                lines.update(pairs[at])
            else:
                later.append(at)
        left = later
        yield chosen


def dropped(nlp: Pipeline, pairs: Sequence[Pair], reworded: bool = False) -> list[bool]:
    """Return for each pair whether ``deduplicate`` drops one of its two records.

    Pairs are read in chunks. A record with a duplicate in another pair hides what is asked here, so
    that such a pair is deduplicated alone.
    """
    found = [False] * len(pairs)
    for chosen in chunks(pairs):
        lines = [line for at in chosen for line in pairs[at]]
        partners = _partners(nlp, lines, reworded)
        for place, at in enumerate(chosen):
            first, second = 2 * place, 2 * place + 1
            if first in partners or partners.get(second, first) != first:
                found[at] = bool(_partners(nlp, pairs[at], reworded))
            else:
                found[at] = second in partners
    return found


def _partners(nlp: Pipeline, lines: Iterable[str], reworded: bool) -> dict[int, int]:
    found = nlp.deduplicate(lines, reworded=reworded, on_error="skip")
    return {one.number: one.partner for one in found.dropped}


def marks_of(nlp: Pipeline, pairs: Sequence[Pair]) -> dict[str, list[bool]]:
    """Return for each pair what takes its records for the same."""
    from hybridsem.interop.cache_guard import CacheGuard

    guard = CacheGuard(nlp)
    same = [one.probability if one.best is Label.SAME else 0.0 for one in nlp.judge(list(pairs))]
    return {
        "dropped": dropped(nlp, pairs),
        "dropped, reworded": dropped(nlp, pairs, reworded=True),
        "same, 0.9": [value >= 0.9 for value in same],
        "same, 0.5": [value >= 0.5 for value in same],
        "served": [guard.check(first, [second]).serve for first, second in pairs],
    }


def among(places: Sequence[int], marks: Mapping[str, list[bool]]) -> dict[str, Share]:
    """Return the share of each column over some of its places."""
    return {name: Share.true([values[at] for at in places]) for name, values in marks.items()}


def by_kind(pairs: Sequence[RecordPair], marks: Mapping[str, list[bool]], kept: bool) -> Table:
    """Count by kind, and print errors: what is marked if records are to be ``kept``, or is not."""
    rows = {"all": among(range(len(pairs)), marks)}
    for kind in dict.fromkeys(pair.kind for pair in pairs):
        places = [at for at, pair in enumerate(pairs) if pair.kind == kind]
        rows[kind] = among(places, marks)
        for column, values in marks.items():
            for at in [at for at in places if values[at] is kept][:EXAMPLES]:
                print(f"{kind}, {column}: {pairs[at].first} | {pairs[at].second}")
    return rows


def minimal(pairs: int = 3000, seed: int = 1) -> None:
    """Distinct records by kind of difference: dropped, judged ``same``, served by the guard."""
    nlp, made, marks = pipeline(), records.minimal(pairs, seed), dict[str, list[bool]]()
    for at in range(0, pairs, CHUNK):
        for column, new in marks_of(nlp, [pair[1:] for pair in made[at : at + CHUNK]]).items():
            marks.setdefault(column, []).extend(new)
    show("difference", by_kind(made, marks, kept=True))


def harmless(pairs: int = 2000, seed: int = 1) -> None:
    """Records that differ in nothing that matters, by kind: found by ``deduplicate``."""
    show("difference", harmless_found(records.harmless(pairs, seed)))


def harmless_found(pairs: Sequence[RecordPair]) -> Table:
    """Return the shares of duplicates that are found."""
    nlp, texts = pipeline(), [pair[1:] for pair in pairs]
    marks = {"found": dropped(nlp, texts), "found, reworded": dropped(nlp, texts, reworded=True)}
    rows = by_kind(pairs, marks, kept=False)
    others = [at for at, pair in enumerate(pairs) if pair.kind != REWRITING]
    return {"all": rows["all"], f"all but {REWRITING}": among(others, marks), **rows}


def numbered(lines: int = 20_000, seed: int = 1, reworded: bool = False) -> None:
    """Product lines, log lines and addresses that differ in one identifier: wrong merges."""
    made = records.numbered_lines(lines, seed)
    run = partial(Pipeline().deduplicate, [line.text for line in made], reworded=reworded)
    found = timing.show(f"{len(made):,} records, reworded={reworded}", run).dropped
    gone = Counter(made[pair.number].group for pair in found)
    sizes = Counter(line.group for line in made)
    shares = {name: {"dropped": Share(gone[name], size)} for name, size in sizes.items()}
    show("wrong merges", shares)
    for pair in found[:EXAMPLES]:
        print(f"    {made[pair.number].text}\n    {made[pair.partner].text}")


def labelled(name: str, data: Path, rows: int, seed: int) -> list[tuple[Pair, bool]]:
    """Read a set of paraphrases and other pairs; at most so many rows, drawn by the seed."""
    if name == PAWS:
        from models.judge.data import part

        found = part(name, data)
        pairs = list(zip(found.pairs, (found.gold == 1).tolist(), strict=True))
    else:
        from models.corpora import read

        items = read("columns", data / "everyday" / f"{EVERYDAY[name]}.tsv")
        pairs = [(item.pair, item.label == "1") for item in items]
    return random.Random(seed).sample(pairs, rows) if rows < len(pairs) else pairs


def by_label(pairs: Sequence[tuple[Pair, bool]], found: Sequence[bool]) -> tuple[Share, Share]:
    """Return the shares of paraphrases and of other pairs that are found."""
    marks: dict[bool, list[bool]] = {True: [], False: []}
    for (_, label), one in zip(pairs, found, strict=True):
        marks[label].append(one)
    return Share.true(marks[True]), Share.true(marks[False])


def normalised(text: str) -> str:
    """Return a text without differences of Unicode's forms, of case and of blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def equal(pairs: Sequence[Pair]) -> list[bool]:
    """Return which pairs are equal after normalisation."""
    return [normalised(first) == normalised(second) for first, second in pairs]


def minhash(pairs: Sequence[Pair]) -> list[float]:
    """Return the Jaccard index of the shingles of each pair."""
    MinHash = import_module("datasketch").MinHash

    def sketch(text: str) -> Any:
        text, made = normalised(text), MinHash(num_perm=PERMUTATIONS, seed=1)
        shingles = {text[at : at + LETTERS] for at in range(max(1, len(text) - LETTERS + 1))}
        made.update_batch([shingle.encode() for shingle in sorted(shingles)])
        return made

    return [sketch(first).jaccard(sketch(second)) for first, second in pairs]


def cosines(nlp: Pipeline, pairs: Sequence[Pair]) -> list[float]:
    """Return the cosine of the encoder of each pair."""
    first, second = (nlp.encode([pair[end] for pair in pairs]) for end in (0, 1))
    found: list[float] = np.einsum("nd,nd->n", first, second).tolist()
    return found


def methods(
    data: Path = DATA,
    pairs: int = 3000,
    rows: int = 1500,
    sets: Annotated[Sequence[str], (*EVERYDAY, PAWS)] = ("MRPC train", "Quora"),
    seed: int = 1,
) -> None:
    """Wrong merges and found duplicates of equality, MinHash, the encoder and ``deduplicate``."""
    nlp, table = pipeline(), Table()

    def decide(pairs: Sequence[Pair]) -> dict[str, list[bool]]:
        marks = {"equal, normalised": equal(pairs)}
        values = {"MinHash": minhash(pairs), "encoder": cosines(nlp, pairs)}
        for name, limits in {"MinHash": (0.7, 0.9), "encoder": (0.9, 0.95)}.items():
            for least in limits:
                marks[f"{name}, {least}"] = [value >= least for value in values[name]]
        marks["deduplicate"] = dropped(nlp, pairs)
        marks["deduplicate, reworded"] = dropped(nlp, pairs, reworded=True)
        return marks

    made_up = {"minimal, wrong": records.minimal, "harmless, found": records.harmless}
    for column, make in made_up.items():
        for method, marks in decide([pair[1:] for pair in make(pairs, seed)]).items():
            table.setdefault(method, {})[column] = Share.true(marks)
    for name in sets:
        known = labelled(name, data, rows, seed)
        for method, marks in decide([pair for pair, _ in known]).items():
            right, wrong = by_label(known, marks)
            table[method] |= {f"{name}, found": right, f"{name}, wrong": wrong}
    show("method", table)


COMMANDS: Mapping[str, Callable[..., None]] = {
    command.__name__: command for command in (minimal, harmless, numbered, methods)
}

if __name__ == "__main__":
    run(COMMANDS)
