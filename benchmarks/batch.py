"""Batch scoring: speed beside sentence-transformers, a warm cache, memory and growth.

    python -m benchmarks.batch speed  --data ../shared/data [--repeated .5] [--workers 2]
    python -m benchmarks.batch growth [--rows 50000 500000 5000000] [--plot docs/batch-growth.svg]

``speed`` scores pairs of EWT and STS benchmark sentences, of which a share repeats others. Workers
share what they read if they fill a cache. ``growth`` scores files that are generated from a pool
of short sentences. Each run has a process of its own, whose loading is counted.
"""

from __future__ import annotations

import csv
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from pathlib import Path
from typing import Annotated

from benchmarks.command import DATA, run
from benchmarks.corpora.sources import distinct_texts
from benchmarks.timing import Spent, compared, in_a_process, machine
from hybridsem.embeddings._hub import locate
from hybridsem.tables import read_pairs

SEED, MINILM = 1, "sentence-transformers/all-MiniLM-L6-v2"
PEOPLE = "nurse pilot cook judge clerk guard singer farmer tailor driver".split()  # noqa: SIM905
DEEDS = "thanked saw followed called helped pushed taught paid met praised".split()  # noqa: SIM905
PLACES = (
    *("in Rome", "at noon", "on Monday", "in the garden"),
    *("near the lake", "at home", "in May", "by the river"),
)


def write_pairs(path: Path, data: Path, number: int, repeated: float) -> None:
    """The STS benchmark's pairs, then chance pairs, all distinct, and a share of pairs that repeat
    them, in chance order.
    """
    numbers, rated_file = random.Random(SEED), data / "sts/stsb-en-train.csv"
    found = [*distinct_texts(data / "ud-ewt/train.conllu"), *distinct_texts(rated_file)]
    sentences = [text for text in dict.fromkeys(found) if any(map(str.isalnum, text))]
    distinct = number - round(number * repeated)
    rated = islice(read_pairs(rated_file), distinct)
    known = dict.fromkeys((pair.text1, pair.text2) for pair in rated)
    while len(known) < distinct:
        known[numbers.choice(sentences), numbers.choice(sentences)] = None
    pairs = list(known)
    pairs += numbers.choices(pairs, k=number - distinct)
    numbers.shuffle(pairs)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerows([("s1", "s2"), *pairs])


def generated(rows: int) -> Iterator[tuple[str, str]]:
    """Pairs from 24,000 short sentences; nearly all pairs are different."""
    numbers = random.Random(SEED)
    pool = [
        f"{first} {one} {deed} {second} {other} {place}."
        for first, second in (("The", "the"), ("A", "a"), ("Every", "some"))
        for one, deed, other, place in product(PEOPLE, DEEDS, PEOPLE, PLACES)
    ]
    for _ in range(rows):
        yield numbers.choice(pool), numbers.choice(pool)


SCORE = """
from hybridsem import Pipeline
from hybridsem.batch import score_file
model, source, out, cache, workers = given
settings = {"force": True, "cache": cache, "workers": workers, "on_error": "skip"}
result = score_file(Pipeline(model), source, out, **settings).to_dict()
result.pop("seconds", None)
"""
PLAIN = """
import csv, torch
from sentence_transformers import SentenceTransformer, util
model = SentenceTransformer(given[0], device="cpu")
with open(given[1], newline="", encoding="utf-8") as stream:
    rows = list(csv.reader(stream))[1:]
first, second = (model.encode(list(column), convert_to_tensor=True) for column in zip(*rows))
scores = util.pairwise_cos_sim(first, second).tolist()
with open(given[2], "w", newline="", encoding="utf-8") as stream:
    csv.writer(stream).writerows((*row, score) for row, score in zip(rows, scores))
result = {}
"""
"""What people write: encode both columns with sentence-transformers and take cosines."""


def scored(
    model: str, source: Path, out: Path, cache: Path | None = None, workers: int | None = None
) -> dict[str, float]:
    """Score a file in a process of its own; return the report, seconds with loading, and memory."""
    return in_a_process(SCORE, model, source, out, cache, workers)


def plain(source: Path, out: Path) -> dict[str, float]:
    return in_a_process(PLAIN, locate(MINILM), source, out)


def used(found: Mapping[str, float]) -> Spent:
    return Spent(found["processor"], found["seconds"])


def speed(
    data: Path = DATA,
    pairs: int = 100_000,
    repeated: Annotated[float, "share of the pairs"] = 0.5,
    alone: Annotated[bool, "without sentence-transformers"] = False,
    models: Sequence[str] = ("hybrid", "verbnet-cn"),
    workers: int | None = None,
) -> None:
    """Files of pairs: cold, over a warm cache, with workers, and beside sentence-transformers."""
    peers = () if alone else ("sentence-transformers", "torch")
    print(f"{pairs} pairs, {repeated:.0%} repeat others; {machine('onnxruntime', *peers)}")
    with tempfile.TemporaryDirectory() as name:
        folder, taken = Path(name), dict[str, list[Spent]]()
        source = folder / "pairs.csv"
        write_pairs(source, data, pairs, repeated)
        if not alone:
            found = plain(source, folder / "plain.csv")
            taken["sentence-transformers, both columns"] = [used(found)]
        for model in models:
            cache, shared = folder / f"cache-{model}", folder / f"shared-{model}"
            runs: dict[str, tuple[Path | None, int | None]] = {
                model: (None, None),
                f"{model}, filling a cache": (cache, None),
                f"{model}, warm cache": (cache, None),
            }
            if workers:
                runs[f"{model}, {workers} workers"] = (None, workers)
                runs[f"{model}, {workers} workers, filling a cache"] = (shared, workers)
            outputs = set()
            for label, (path, share) in runs.items():
                found = scored(model, source, folder / "out.csv", path, share)
                taken[label] = [used(found)]
                outputs.add((folder / "out.csv").read_bytes())
            count = found["distinct_sentences"]
            print(f"{model}: {count} distinct sentences; all files equal: {len(outputs) == 1}")
    print(*compared(taken, pairs, "pair"), sep="\n")


def growth(
    rows: Sequence[int] = (50_000, 500_000, 5_000_000),
    model: str = "verbnet-cn",
    plot: Annotated[Path | None, "a picture"] = None,
) -> None:
    """Generated files of more and more pairs: time, and peak memory (resident)."""
    print(f"{model}; {machine('onnxruntime')}")
    print(f"{'rows':>10} {'seconds':>8} {'pairs/s':>8} {'processor s':>12} {'peak MB':>8}")
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        for count in rows:
            source = Path(folder, "generated.csv")
            with source.open("w", newline="", encoding="utf-8") as stream:
                csv.writer(stream).writerows([("s1", "s2"), *generated(count)])
            found = scored(model, source, Path(folder, "out.csv"))
            seconds, processor, peak = found["seconds"], found["processor"], found["peak"]
            measured.append((count, processor, peak))
            told = f"{count:10} {seconds:8.1f} {count / seconds:8.0f} {processor:12.1f} {peak:8.0f}"
            print(told, flush=True)
    if plot:
        draw(measured, model, plot)


def draw(found: list[tuple[int, float, float]], model: str, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "hybridsem"
    from matplotlib import pyplot

    rows, seconds, peaks = zip(*found, strict=True)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.6), layout="constrained")
    curves = (left, seconds, "processor time (s)"), (right, peaks, "peak memory (MB)")
    for axes, values, label in curves:
        axes.plot(rows, values, marker="o", color="#2b6a99")
        axes.set(xlabel="pairs", ylabel=label, xscale="log", ylim=(0, max(values) * 1.15))
        axes.spines[["top", "right"]].set_visible(False)
    left.set(xscale="log", yscale="log", ylim=(min(seconds) / 2, max(seconds) * 2))
    figure.suptitle(f"hybridsem score, {model}", fontsize=10)
    figure.savefig(path, metadata={"Date": None})


COMMANDS = {"speed": speed, "growth": growth}

if __name__ == "__main__":
    run(COMMANDS)
