r"""What deduplication, the judge and the cache guard do with records that differ in one thing.

    python -m benchmarks.duplicates minimal [--pairs 3000] [--seed 1] [-o FILE]
    python -m benchmarks.duplicates harmless [--pairs 2000] [--seed 1] [-o FILE]
    python -m benchmarks.duplicates recall --data ../shared/data [--rows 1500] [-o FILE]
    python -m benchmarks.duplicates methods --data ../shared/data [--pairs 3000] [--rows 1500]

    minimal   distinct records (``benchmarks/corpora/records.py``), by kind of difference: dropped
              by ``deduplicate`` given the two, judged ``same``, served by the cache guard
    harmless  records that differ in nothing that matters, by kind: found by ``deduplicate``
    recall    labelled pairs: paraphrases that are found, other pairs that are merged
    methods   other methods on the same pairs: equality of normalised text, MinHash (``pip install
              datasketch``), the encoder's cosine

Shares have exact (Clopper–Pearson) intervals of 95 %. ``-o FILE`` also writes FILE.md and
FILE.json. Nothing is chosen on these pairs. The judge and the encoder learned from part of the
labelled sets (their cards name them), so that ``recall`` is not held out.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from benchmarks.corpora.records import RecordPair
    from hybridsem import Pipeline

Pair = tuple[str, str]
CHUNK = 512  # pairs that are read together
EVERYDAY = {
    "MRPC train": "mrpc-train",
    "Quora": "qqp",
    "medical questions": "medical-questions",
    "adversarial paraphrases": "adversarial-paraphrase",
}
PAWS = "PAWS-Wiki dev, 2nd part"
COMPARED = ("MRPC train", "Quora")
REWRITING = "rewriting"
"""The harmless kind that only ``reworded`` is expected to find."""
HIGH, LOW = 0.9, 0.5
EXAMPLES = 3
JACCARD, COSINES = (0.7, 0.9), (0.9, 0.95)
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

    def limits(self) -> tuple[float, float]:
        """Return the ends of the exact interval of 95 %."""
        from scipy.stats import binomtest

        found = binomtest(self.hits, self.of).proportion_ci(method="exact")
        return float(found.low), float(found.high)

    def to_dict(self) -> dict[str, float]:
        """Plain data."""
        if not self.of:
            return {"hits": 0, "of": 0}
        low, high = (round(limit, 5) for limit in self.limits())
        share = round(self.hits / self.of, 5)
        return {"hits": self.hits, "of": self.of, "share": share, "low": low, "high": high}

    def __str__(self) -> str:
        if not self.of:
            return "–"
        low, high = (f"{100 * limit:.1f}" for limit in self.limits())
        return f"{self.hits}/{self.of}, {100 * self.hits / self.of:.1f} [{low}, {high}]"


class Result(NamedTuple):
    """A table of shares by row and column, and more to keep."""

    rows: dict[str, dict[str, Share]]
    about: dict[str, Any]

    def markdown(self, first: str) -> str:
        """The table; shares in percent, the first column named ``first``."""
        columns = list(next(iter(self.rows.values())))
        lines = [" | ".join(["", first, *columns, ""]), "|" + " --- |" * (len(columns) + 1)]
        lines += [
            " | ".join(["", name, *(str(row[column]) for column in columns), ""])
            for name, row in self.rows.items()
        ]
        return "\n".join(line.strip() for line in lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        rows = {
            name: {column: share.to_dict() for column, share in row.items()}
            for name, row in self.rows.items()
        }
        return {**self.about, "shares": rows}


def pipeline() -> Pipeline:
    """The default, which remembers what it has read of a chunk."""
    from hybridsem import Pipeline

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


def same(nlp: Pipeline, pairs: Sequence[Pair]) -> list[float]:
    """Return the probability of the label ``same``, 0 if it is not the most probable."""
    from hybridsem.judge.labels import Label

    return [
        judgement.probability if judgement.best is Label.SAME else 0.0
        for judgement in nlp.judge(list(pairs))
    ]


def served(nlp: Pipeline, pairs: Sequence[Pair]) -> list[bool]:
    """Return for each pair whether the cache guard serves the answer to the other question."""
    from hybridsem.interop.cache_guard import CacheGuard

    guard = CacheGuard(nlp)
    return [guard.check(first, [second]).serve for first, second in pairs]


def measure_minimal(pairs: Sequence[RecordPair]) -> Result:
    """The shares of distinct records that are taken for the same, by kind."""
    nlp = pipeline()
    marks: dict[str, list[bool]] = {}
    for at in range(0, len(pairs), CHUNK):
        some = [(first, second) for _, first, second in pairs[at : at + CHUNK]]
        probabilities = same(nlp, some)
        new = {
            "dropped": dropped(nlp, some),
            "dropped, reworded": dropped(nlp, some, reworded=True),
            f"same, {HIGH}": [value >= HIGH for value in probabilities],
            f"same, {LOW}": [value >= LOW for value in probabilities],
            "served": served(nlp, some),
        }
        for column, values in new.items():
            marks.setdefault(column, []).extend(values)
        print(f"{min(at + CHUNK, len(pairs))} of {len(pairs)} pairs", file=sys.stderr)
    return _by_kind(pairs, marks, kept=True)


def measure_harmless(pairs: Sequence[RecordPair]) -> Result:
    """The shares of duplicates that are found, by kind."""
    nlp = pipeline()
    texts = [(first, second) for _, first, second in pairs]
    marks = {"found": dropped(nlp, texts), "found, reworded": dropped(nlp, texts, reworded=True)}
    result = _by_kind(pairs, marks, kept=False)
    others = [at for at, pair in enumerate(pairs) if pair.kind != REWRITING]
    row = {name: Share.true([values[at] for at in others]) for name, values in marks.items()}
    return result._replace(
        rows={"all": result.rows["all"], f"all but {REWRITING}": row, **result.rows}
    )


def _by_kind(pairs: Sequence[RecordPair], marks: Mapping[str, list[bool]], kept: bool) -> Result:
    """Count by kind. Errors are what is marked if the records are to be ``kept``, or not marked."""
    rows = {"all": {column: Share.true(values) for column, values in marks.items()}}
    errors: dict[str, dict[str, list[Pair]]] = {}
    for kind in dict.fromkeys(pair.kind for pair in pairs):
        places = [at for at, pair in enumerate(pairs) if pair.kind == kind]
        rows[kind] = {
            column: Share.true([values[at] for at in places]) for column, values in marks.items()
        }
        errors[kind] = {
            column: [pairs[at][1:] for at in places if values[at] is kept][:EXAMPLES]
            for column, values in marks.items()
        }
    return Result(rows, {"examples of errors": errors})


def labelled(name: str, data: Path, rows: int, seed: int) -> list[tuple[Pair, bool]]:
    """Read a set of paraphrases and other pairs; at most so many rows, drawn by the seed."""
    if name == PAWS:
        from models.judge.data import part

        read = part(name, data)
        pairs = list(zip(read.pairs, (read.gold == 1).tolist(), strict=True))
    else:
        path = data / "everyday" / f"{EVERYDAY[name]}.tsv"
        with path.open(encoding="utf-8") as stream:
            lines = [line.rstrip("\n").split("\t") for line in stream][1:]
        pairs = [((line[1], line[2]), line[0] == "1") for line in lines]
    return random.Random(seed).sample(pairs, rows) if rows < len(pairs) else pairs


def measure_recall(data: Path, rows: int, seed: int) -> Result:
    """The shares of paraphrases found and of other pairs merged, by set."""
    nlp = pipeline()
    table: dict[str, dict[str, Share]] = {}
    for name in (*EVERYDAY, PAWS):
        pairs = labelled(name, data, rows, seed)
        texts = [pair for pair, _ in pairs]
        table[name] = {}
        for reworded in (False, True):
            found = dropped(nlp, texts, reworded)
            suffix = ", reworded" if reworded else ""
            table[name] |= _by_label(pairs, found, suffix)
        print(name, file=sys.stderr)
    return Result(table, {"rows": rows})


def _by_label(
    pairs: Sequence[tuple[Pair, bool]], found: Sequence[bool], suffix: str = ""
) -> dict[str, Share]:
    by_label: dict[bool, list[bool]] = {True: [], False: []}
    for (_, label), one in zip(pairs, found, strict=True):
        by_label[label].append(one)
    return {
        f"found{suffix}": Share.true(by_label[True]),
        f"wrongly merged{suffix}": Share.true(by_label[False]),
    }


def normalised(text: str) -> str:
    """Return a text without differences of Unicode's forms, of case and of blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def equal(pairs: Sequence[Pair]) -> list[bool]:
    """Return which pairs are equal after normalisation."""
    return [normalised(first) == normalised(second) for first, second in pairs]


def minhash(pairs: Sequence[Pair], least: Sequence[float]) -> dict[str, list[bool]]:
    """Return which pairs reach a Jaccard index of their shingles, by name of a method."""
    try:
        MinHash = import_module("datasketch").MinHash
    except ImportError:
        print("MinHash is left out: pip install datasketch", file=sys.stderr)
        return {}

    def sketch(text: str) -> Any:
        text = normalised(text)
        made = MinHash(num_perm=PERMUTATIONS, seed=1)
        shingles = {text[at : at + LETTERS] for at in range(max(1, len(text) - LETTERS + 1))}
        made.update_batch([shingle.encode() for shingle in sorted(shingles)])
        return made

    values = [sketch(first).jaccard(sketch(second)) for first, second in pairs]
    return {f"MinHash, {limit}": [value >= limit for value in values] for limit in least}


def cosines(nlp: Pipeline, pairs: Sequence[Pair], least: Sequence[float]) -> dict[str, list[bool]]:
    """Return which pairs reach a cosine of the encoder, by name of a method."""
    import numpy as np

    values: list[float] = []
    for at in range(0, len(pairs), CHUNK):
        some = pairs[at : at + CHUNK]
        ends = [nlp.encode([pair[end] for pair in some]) for end in (0, 1)]
        values += np.einsum("nd,nd->n", *ends).tolist()
    return {f"encoder, {limit}": [value >= limit for value in values] for limit in least}


def measure_methods(data: Path, count: int, rows: int, seed: int) -> Result:
    """The wrong merges and the found duplicates of several methods."""
    from benchmarks.corpora.records import harmless, minimal

    nlp = pipeline()
    table: dict[str, dict[str, Share]] = {}

    def decide(pairs: Sequence[Pair]) -> dict[str, list[bool]]:
        found = {"equal, normalised": equal(pairs), **minhash(pairs, JACCARD)}
        found |= cosines(nlp, pairs, COSINES)
        found["deduplicate"] = dropped(nlp, pairs)
        found["deduplicate, reworded"] = dropped(nlp, pairs, reworded=True)
        return found

    for column, records in (
        ("minimal, wrong", minimal(count, seed)),
        ("harmless, found", harmless(count, seed)),
    ):
        for method, marks in decide([(first, second) for _, first, second in records]).items():
            table.setdefault(method, {})[column] = Share.true(marks)
    for name in COMPARED:
        pairs = labelled(name, data, rows, seed)
        for method, marks in decide([pair for pair, _ in pairs]).items():
            found, wrong = _by_label(pairs, marks).values()
            table[method] |= {f"{name}, found": found, f"{name}, wrong": wrong}
    about = {"MinHash": f"{LETTERS} letters, {PERMUTATIONS} permutations", "rows": rows}
    return Result(table, about)


def conditions(options: argparse.Namespace) -> dict[str, Any]:
    """What a figure depends on: command, data, seed, versions, processor."""
    from benchmarks.timing import processor
    from hybridsem.evaluation.runner import _versions

    command = ["python", "-m", "benchmarks.duplicates", *sys.argv[1:]]
    generated = "benchmarks/corpora/records.py"
    others = {name: version(name) for name in ("datasketch",) if name in sys.modules}
    return {
        "command": shlex.join(command),
        "data": f"{options.data}" if getattr(options, "data", None) else generated,
        "pairs": getattr(options, "pairs", None),
        "seed": options.seed,
        "processor": processor(),
        "versions": _versions() | others,
    }


def run_minimal(options: argparse.Namespace) -> tuple[Result, str]:
    from benchmarks.corpora.records import minimal

    return measure_minimal(minimal(options.pairs, options.seed)), "difference"


def run_harmless(options: argparse.Namespace) -> tuple[Result, str]:
    from benchmarks.corpora.records import harmless

    return measure_harmless(harmless(options.pairs, options.seed)), "difference"


def run_recall(options: argparse.Namespace) -> tuple[Result, str]:
    return measure_recall(options.data, options.rows, options.seed), "set"


def run_methods(options: argparse.Namespace) -> tuple[Result, str]:
    return measure_methods(options.data, options.pairs, options.rows, options.seed), "method"


COMMANDS: Mapping[str, tuple[Callable[[argparse.Namespace], tuple[Result, str]], int]] = {
    "minimal": (run_minimal, 3000),
    "harmless": (run_harmless, 2000),
    "recall": (run_recall, 0),
    "methods": (run_methods, 3000),
}
"""The function of each command, and its number of pairs."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, count) in COMMANDS.items():
        command = commands.add_parser(name)
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("-o", "--output", type=Path, help="FILE of FILE.md and FILE.json")
        if count:
            command.add_argument("--pairs", type=int, default=count, help="pairs of each sort")
        if name in ("recall", "methods"):
            command.add_argument("--data", type=Path, required=True)
            command.add_argument("--rows", type=int, default=1500, help="rows of each set")
    options = parser.parse_args(arguments)
    run, _ = COMMANDS[options.command]
    result, first = run(options)
    about = conditions(options)
    said = "; ".join(f"{name}: {value}" for name, value in about.items() if value is not None)
    markdown = f"{result.markdown(first)}\n\n{said}\n"
    plain = json.dumps({**about, **result.to_dict()}, indent=1, ensure_ascii=False)
    if options.output is not None:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        Path(f"{options.output}.md").write_text(markdown, encoding="utf-8")
        Path(f"{options.output}.json").write_text(plain + "\n", encoding="utf-8")
    print(markdown)
    print(plain)


if __name__ == "__main__":
    main()
