"""SAGE: figures beside the paper's, and speed.

python benchmarks/sage.py perturb                                  1,000 articles, seconds
python benchmarks/sage.py levenshtein                              ms a pair of 5,000 words
python benchmarks/sage.py changes [--models rouge …] [--sample N]  robustness, sensitivity
python benchmarks/sage.py clustering                               10,000 texts, seconds and memory
python benchmarks/sage.py retrieval [--models bm25 …] [--work DIR] all of SciFact; results/sage/
python benchmarks/sage.py models [--models …] [--plan sampled]     all parts; results/sage/
python benchmarks/sage.py tables                                   of these cards; pictures
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem import Pipeline
from hybridsem.batch.cache import store_in
from hybridsem.batch.identity import settings_of
from hybridsem.evaluation import Card, evaluate, load_card
from hybridsem.evaluation.perturbations import PERTURBATIONS, RETRIEVAL
from hybridsem.evaluation.report.plots import plot, save
from hybridsem.evaluation.report.tables import figure
from hybridsem.evaluation.sage.overall import PARTS
from hybridsem.reader import SENTENCES_HELD
from hybridsem.strings import METRICS

ROOT = Path(__file__).parents[1]
RUNS = ROOT / "runs" / "sage"
RESULTS = ROOT / "benchmarks" / "results" / "sage"
MODELS = ("levenshtein", "jaccard", "rouge", "bm25", "embedded", "hybrid", "verbnet-cn")
STRUCTURED = ("hybrid", "verbnet-cn")
"""What they have read of sentences is kept in the work folder, under all that it depends on."""
ARTICLES, BILLS, ESSAYS = "cnn_dailymail-300.jsonl", "billsum-100.jsonl", "paul_graham_essays.csv"
RATINGS, SUBJECTS, SCIFACT = "summeval.jsonl", "20news-subjects.tsv", "scifact"
CHANGES = (("sage-robustness", ARTICLES), ("sage-robustness", BILLS), ("sage-sensitivity", ESSAYS))
PAPER = {
    ("sage-robustness", ARTICLES, "score"): {"levenshtein": 0.333},
    ("sage-sensitivity", ESSAYS, "insertion"): {
        "rouge": 0.881,
        "levenshtein": 0.844,
        "jaccard": 0.963,
    },
    ("sage-sensitivity", ESSAYS, "removal"): {
        "rouge": 0.868,
        "levenshtein": 0.865,
        "jaccard": 0.864,
    },
}
"""The paper's figures that are known here."""


PLANS: dict[str, dict[str, dict[str, Any]]] = {
    "sampled": {
        "preference": {"data": [RATINGS]},
        "robustness": {"data": [ARTICLES, BILLS], "sample": 40},
        "sensitivity": {"data": [ESSAYS], "sample": 40},
        "clustering": {"data": [SUBJECTS], "sample": 2000},
        "retrieval": {"data": [SCIFACT], "sample": 30},
    },
    "whole": {
        "preference": {"data": [RATINGS]},
        "robustness": {"data": [ARTICLES, BILLS]},
        "sensitivity": {"data": [ESSAYS, ARTICLES, BILLS]},
        "clustering": {"data": [SUBJECTS]},
        "retrieval": {"data": [SCIFACT], "sample": 100},
    },
}
"""All models on the same data, drawn where all of them would be too much for parsing; and those
that parse nothing on the whole.
"""

RERANKED = {"first_stage": "embedded", "rerank": 10}
"""How the models that have no search of their own take part in retrieval."""


def perturb(options: argparse.Namespace) -> None:
    lines = (options.data / ARTICLES).read_text(encoding="utf-8").splitlines()
    articles = [json.loads(line)["text"] for line in lines]
    texts = [f"{article} {number}" for number in range(4) for article in articles][:1000]
    words = np.mean([len(text.split()) for text in texts])
    total = busy = 0.0
    for change in RETRIEVAL:
        began, began_busy = time.perf_counter(), time.process_time()
        for text in texts:
            change(text)
        seconds, own = time.perf_counter() - began, time.process_time() - began_busy
        total, busy = total + seconds, busy + own
        print(f"{change.name:<20} {seconds:6.2f} s")
    print(
        f"{len(texts)} documents of {words:.0f} words, {len(RETRIEVAL)} ways: {total:.1f} s "
        f"({busy:.1f} s of processor)"
    )


def levenshtein(options: argparse.Namespace) -> None:
    article = " ".join(
        json.loads(line)["text"]
        for line in (options.data / ARTICLES).read_text("utf-8").splitlines()
    )
    words = article.split()
    texts = [" ".join(words[at : at + 5000]) for at in range(0, 100_000, 5000)]
    texts += [PERTURBATIONS["word-shuffle"](text) for text in texts]
    metric = METRICS["levenshtein"](texts)
    half = np.arange(len(texts) // 2)
    for name, others in (("shuffled", half + len(half)), ("another", np.roll(half, 1))):
        began = time.perf_counter()
        found = metric.pairs(half, others)
        each = (time.perf_counter() - began) / len(half)
        print(
            f"5,000 words with {name:<8} {1000 * each:6.1f} ms a pair, mean similarity "
            f"{found.mean():.3f}"
        )


def changes(options: argparse.Namespace) -> None:
    RUNS.mkdir(parents=True, exist_ok=True)
    for task, file in CHANGES:
        for model in options.models:
            began = time.perf_counter()
            card = evaluate(
                task,
                model,
                options.data / file,
                resamples=options.resamples,
                sample=options.sample,
                progress=True,
            )
            card.save(RUNS / f"{task}-{Path(file).stem}-{model}.json")
            print(
                f"{task} {file} {model}: {dict(card.counts)}, {time.perf_counter() - began:.0f} s"
            )
            _print(card, task, file, model)


def _print(card: Card, task: str, file: str, model: str) -> None:
    for name, one in card.scores["all"].items():
        value = np.nan if one.value is None else one.value
        paper = PAPER.get((task, file, name), {}).get(model)
        beside = "" if paper is None else f"   paper {paper:.3f}, {value - paper:+.3f}"
        print(f"    {name:<24} {value:6.3f}{beside}", flush=True)


def clustering(options: argparse.Namespace) -> None:
    """Subjects of messages and titles of papers, 10,000 in all."""
    rows = (options.data / SUBJECTS).read_text(encoding="utf-8").splitlines()[1:]
    with (options.data / SCIFACT / "corpus.jsonl").open(encoding="utf-8") as stream:
        rows += [f"paper\t{json.loads(line)['title']}" for line in stream]
    RUNS.mkdir(parents=True, exist_ok=True)
    path = RUNS / "clustering.tsv"
    path.write_text("\n".join(["label\ttext", *rows[:10_000]]) + "\n", encoding="utf-8")
    for name in options.models:
        if name in STRUCTURED:
            continue
        began, busy = time.perf_counter(), time.process_time()
        card = evaluate("sage-clustering", name, path)
        seconds, busy = time.perf_counter() - began, time.process_time() - busy
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"{name:<12} {card.counts['rows']} texts: {seconds:.1f} s ({busy:.1f} s of "
            "processor), at most "
            f"{peak:.2f} GB so far, V-measure {figure(card.scores['all']['score'].value)}",
            flush=True,
        )


def retrieval(options: argparse.Namespace) -> None:
    """All of SciFact, or a sample; with --work a run that was cut off goes on, and its seconds are
    of the rest.
    """
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name in options.models:
        if name in STRUCTURED and options.sample is None:
            continue
        given = dict(RERANKED) if name in STRUCTURED else {}
        began, busy = time.perf_counter(), time.process_time()
        card = evaluate(
            "sage-retrieval",
            name,
            options.data / SCIFACT,
            sample=options.sample,
            resamples=options.resamples,
            progress=True,
            work=options.work,
            **given,
        )
        seconds, busy = time.perf_counter() - began, time.process_time() - busy
        card.save(
            RESULTS
            / f"retrieval{'' if options.sample is None else f'-{options.sample}'}.{name}.json"
        )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"{name:<12} {card.counts['rows']} queries, {card.counts['documents']} documents, "
            "nineteen searches: "
            f"{seconds:.0f} s ({busy:.0f} s of processor), at most {peak:.2f} GB so far"
        )
        _print(card, "sage-retrieval", SCIFACT, name)


def models(options: argparse.Namespace) -> None:
    RESULTS.mkdir(parents=True, exist_ok=True)
    RUNS.mkdir(parents=True, exist_ok=True)
    for name in options.models:
        plan = PLANS[options.plan]
        if name in STRUCTURED:
            plan = plan | {"retrieval": plan["retrieval"] | RERANKED}
        path = RUNS / f"{options.plan}.{name}.toml"
        path.write_text(_toml(plan, options.data.resolve()), encoding="utf-8")
        work = options.work or RUNS / "work"
        pipeline = Pipeline(name)
        if name in STRUCTURED:
            store = store_in(work / "sentences", settings_of(pipeline))
            pipeline.remember(SENTENCES_HELD, store)
        began, busy = time.perf_counter(), time.process_time()
        card = evaluate(
            "sage", pipeline, path, resamples=options.resamples, progress=True, work=work
        )
        seconds, busy = time.perf_counter() - began, time.process_time() - busy
        card.save(RESULTS / f"{options.plan}.{name}.json")
        print(f"{name:<12} {_row(card)}   {seconds:.0f} s ({busy:.0f} s of processor)", flush=True)


def _toml(plan: dict[str, dict[str, Any]], data: Path) -> str:
    """A plan as a file, with the paths of this machine."""
    lines = []
    for part, given in plan.items():
        values = {**given, "data": [str(data / one) for one in given["data"]]}
        lines += [f"[{part}]", *(f"{name} = {json.dumps(value)}" for name, value in values.items())]
    return "\n".join(lines) + "\n"


def _row(card: Card) -> str:
    return " | ".join(figure(card.scores[part]["score"].value) for part in (*PARTS, "all"))


def tables(options: argparse.Namespace) -> None:
    RUNS.mkdir(parents=True, exist_ok=True)
    for plan in PLANS:
        files = [(name, RESULTS / f"{plan}.{name}.json") for name in options.models]
        cards = {name: load_card(path) for name, path in files if path.is_file()}
        if cards:
            save(plot(list(cards.values()), "radar"), RUNS / f"{plan}.svg")
            _table(
                f"{plan}: all parts",
                [*PARTS, "all"],
                {name: _row(card) for name, card in cards.items()},
            )
        for group in next(iter(cards.values())).scores if cards else ():
            measures = list(next(iter(cards.values())).scores[group])
            rows = {
                name: " | ".join(figure(card.scores[group][one].value) for one in measures)
                for name, card in cards.items()
                if group in card.scores
            }
            if len(measures) > 1:
                _table(f"{plan}: {group}", measures, rows)


def _table(title: str, columns: Sequence[str], rows: Mapping[str, str]) -> None:
    print(f"\n{title}\n\n| | {' | '.join(columns)} |\n|{' --- |' * (len(columns) + 1)}")
    for name, row in rows.items():
        print(f"| `{name}` | {row} |")


COMMANDS: dict[str, Callable[[argparse.Namespace], None]] = {
    "perturb": perturb,
    "levenshtein": levenshtein,
    "changes": changes,
    "clustering": clustering,
    "retrieval": retrieval,
    "models": models,
    "tables": tables,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="SAGE: figures and speed.")
    parser.add_argument("what", choices=list(COMMANDS))
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data" / "sage")
    parser.add_argument("--models", nargs="*", default=list(MODELS))
    parser.add_argument("--plan", choices=list(PLANS), default="sampled")
    parser.add_argument("--sample", type=int, help="documents of each data set; all if not given")
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument(
        "--work", type=Path, help="retrieval, models: a folder for what is finished"
    )
    options = parser.parse_args()
    COMMANDS[options.what](options)


if __name__ == "__main__":
    main()
