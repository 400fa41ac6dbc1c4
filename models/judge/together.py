"""Learn how much a pair reader has to say in a judgement.

    python -m models.judge.together --made runs/pairs.jsonl [--write]
    python -m models.judge.together --tests 600

Only pairs that the reader has not learned from count, every kind of text with the same weight
(``WEIGHTS``). Figures are out of fold. ``--write`` writes ``hybridsem/data/judged_together.json``
and ``together.log`` beside this file; run ``python -m models.manifest`` afterwards.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import torch

from benchmarks.command import run
from hybridsem import Pipeline
from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem._utils.progress import in_chunks
from hybridsem.datasets.splits import components
from hybridsem.judge.features import Observed, observe_batch
from hybridsem.judge.judgement import probabilities_of
from hybridsem.judge.labels import COUNTERPARTS, LABELS, Label
from hybridsem.judge.together import JudgedTogether, inputs
from hybridsem.judge.verdict import PRECISIONS
from hybridsem.pair_reader import Readings
from models.judge.data import Learned
from models.judge.learn import Settings, network_of
from models.pair_reader.data import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    UNKNOWN_HANDS,
    Kept,
    Row,
    tests,
)
from models.recipe import SHIPPED, table

FILE = SHIPPED / "judged_together.json"
LOG = Path(__file__).with_name("together.log")
LEFT_OUT = ("made", "edited", "reworded", "sts3k")
"""Sources on which the reader was trained too well, or that say nothing about labels."""
WEIGHTS = {
    UNKNOWN_HANDS: 4,
    "plain-english": 0,
    "sick": 4,
    "med": 4,
    "mnli": 3,
    "lingnli": 2,
    "conjnli": 2,
}
"""The share of a source in the objective, if it is not 1; 0 for what is only reported: the reader
knows the hands of ``plain-english``, and is more often right there than with others.
"""
UNRELATED = 0.2
"""The similarity below which sentences from which nothing follows are on different topics."""
STRANGERS = 1200
FOLDS = 5
FEWEST, FIRST, MOST_ALLOWED, DIGITS, NEVER = 150, 30, 3, 5, 1.01
CHUNK = 1000


def allowed_of(row: Row) -> list[bool]:
    """The labels that a pair may have, by what its annotation says."""

    def may(forward: int, backward: int) -> bool:
        return bool(row.forward & forward and row.backward & backward)

    same, neither = may(ENTAILMENT, ENTAILMENT), may(NEUTRAL, NEUTRAL)
    entails, entailed = may(ENTAILMENT, NEUTRAL), may(NEUTRAL, ENTAILMENT)
    excludes = may(CONTRADICTION, CONTRADICTION)
    if row.paraphrase == 1:
        neither = excludes = False
    elif row.paraphrase == 0:
        same = False
    # Without a rating, what differs by its label is on one topic, but for questions of Quora.
    labelled = row.forward == NEUTRAL or (row.paraphrase == 0 and row.source != "qqp")
    other_topic = row.forward == NEUTRAL and row.similarity < UNRELATED
    differs, unrelated = neither and not other_topic, neither and (other_topic or not labelled)
    return [same, entails, entailed, differs, excludes, unrelated]


def held_rows(rows: Sequence[Row]) -> list[Row]:
    """The pairs to learn from: those held back that have a label."""
    held = (row for row in rows if row.held and row.source not in LEFT_OUT)
    found = [row for row in held if row.is_labelled]
    return [row for row in found if not all(allowed_of(row))] + strangers(found)


def strangers(rows: Sequence[Row]) -> list[Row]:
    """Sentences of different sets, drawn at random, which are on different topics."""
    draw, found = random.Random(0), list[Row]()
    while len(found) < STRANGERS:
        one, two = draw.choices(rows, k=2)
        if one.source != two.source:
            found.append(Row(one.first, two.second, NEUTRAL, NEUTRAL, 0.0, 0.0, "strangers"))
    return found


def extract(pairs: Sequence[tuple[str, str]]) -> dict[str, Float64Array]:
    """What the comparison and the reader say of pairs."""
    nlp = Pipeline("hybrid", pair_reader="embedded")
    combiner = nlp.combiner
    parts = []
    for some in in_chunks(pairs, CHUNK, "pairs", True):
        batch = nlp.read(some)
        compared = combiner.compared(batch)
        read, features = combiner.readings(batch, compared), observe_batch(batch, compared)
        parts.append((probabilities_of(batch, features), np.column_stack(read), *features))
    names = "compared", "read", *Observed._fields
    return dict(zip(names, map(np.concatenate, zip(*parts, strict=True)), strict=True))


def thresholds(found: Float64Array, allowed: BoolArray, sources: Sequence[str]) -> Float64Array:
    """The least probability of a label for each precision, (labels, precisions): the share of such
    labels of at least that probability that are right, in the sources that say what a pair is.
    """
    table = np.tile(PRECISIONS, (len(LABELS), 1))
    best = found.argmax(1)
    most, right = found.max(1), allowed[np.arange(len(found)), best]
    of, several, weight = np.array(sources), allowed.sum(1), np.zeros(len(found))
    for name, count in Counter(sources).items():
        if several[of == name].max() <= MOST_ALLOWED:
            weight[of == name] = WEIGHTS.get(name, 1.0) / count
    everyday = of == UNKNOWN_HANDS
    weight[everyday] *= weight[~everyday].sum() / weight[everyday].sum()  # as much as all others
    for label, counterpart in enumerate(COUNTERPARTS):
        rows = np.flatnonzero(((best == label) | (best == counterpart)) & (weight > 0))
        if len(rows) < FEWEST:
            continue
        order = rows[np.argsort(-most[rows], kind="stable")]
        share = (np.cumsum(weight[order] * right[order]) / np.cumsum(weight[order]))[FIRST:]
        for column, wanted in enumerate(PRECISIONS):
            enough = np.flatnonzero(share >= wanted)
            table[label, column] = most[order[FIRST + enough[-1]]] if len(enough) else NEVER
    return table.round(DIGITS)


def report(
    sources: Sequence[str], found: dict[str, Float64Array], allowed: BoolArray
) -> Iterator[str]:
    """By source: how often the best label is one that is allowed, at what probabilities."""
    yield f"{'':<24}{'pairs':>6}" + "".join(f"{name:>28}" for name in found)
    for source in (*dict.fromkeys(sources), ""):
        rows = np.flatnonzero([source in ("", one) for one in sources])
        line = f"{source or 'all':<24}{len(rows):>6}"
        for chances in found.values():
            most, best = chances[rows].max(1), chances[rows].argmax(1)
            right, sure = allowed[rows, best], most >= 0.9
            wrong = 1 - right[sure].mean() if sure.any() else float("nan")
            line += f"   {right.mean():.3f}, {sure.mean():.2f} sure {wrong:.2f} wrong"
        yield line


class Task(NamedTuple):
    """The pairs with a reading: what the network reads and learns."""

    data: Learned
    features: Observed
    compared: Float64Array
    read: Readings
    key: str

    def taken(self, rows: IntArray) -> tuple[Observed, Float64Array, Readings]:
        """What :meth:`JudgedTogether.probabilities` takes, of some pairs."""
        return self.features.taken(rows), self.compared[rows], self.read.taken(rows)


def task_of(held: Sequence[Row], file: Path) -> Task:
    """The pairs held back, with what was extracted from them before, or now."""
    rows = held_rows(held)
    pairs = [(row.first, row.second) for row in rows]
    key = hashlib.sha256(json.dumps(pairs).encode()).hexdigest()
    if not file.is_file():
        np.savez_compressed(file, allow_pickle=False, key=key, **extract(pairs))
    with np.load(file) as kept:
        if str(kept["key"]) != key:
            raise SystemExit(f"{file} is of other pairs; delete it")
        usable = np.flatnonzero(~np.isnan(kept["read"][:, 0]))
        features = Observed(*(kept[name][usable] for name in Observed._fields))
        compared, read = kept["compared"][usable], Readings(*kept["read"][usable].T)
    sources = [rows[n].source for n in usable]
    counts = Counter(sources)
    weight = np.array([WEIGHTS.get(name, 1.0) / counts[name] for name in sources])
    allowed = np.array([allowed_of(rows[n]) for n in usable])
    chosen = [pairs[n] for n in usable]
    nothing = np.zeros(len(usable), int)
    data = Learned(chosen, allowed, nothing, weight, sources, components(chosen))
    return Task(data, features, compared, read, key)


def out_of_fold(task: Task, settings: Settings) -> Float64Array:
    """The probabilities of the labels, (n, labels), each learned from other pairs."""
    both, folds = inputs(task.features, task.compared, task.read), task.data.folds(FOLDS)
    found = np.zeros_like(task.compared)
    for fold in range(FOLDS):
        chosen, rest = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        learned = network_of(both[chosen], task.data.take(chosen), settings)
        made = JudgedTogether(learned, np.zeros((len(LABELS), len(PRECISIONS))))
        found[rest] = made.probabilities(*task.taken(rest))
    return found


def by_reader(read: Readings) -> Float64Array:
    """The probabilities of the labels, (n, labels), by the reader alone."""
    e, d, c = read.entails, read.entailed, read.contradicts
    neither = (1 - e) * (1 - d) * (1 - c)
    return np.column_stack([e * d, e * (1 - d), (1 - e) * d, neither, c, neither])


def on_tests(data: Path, most: int) -> Iterator[str]:
    """By test set and pair reader, on so many pairs drawn at random: how often the best label is
    right, what is decided, and how often that and what has .9 or more is right.
    """
    sets: dict[str, list[tuple[Row, list[bool]]]] = {}
    for row in tests(data):
        if not all(allowed := allowed_of(row)):
            sets.setdefault(row.source, []).append((row, allowed))
    for reader in (None, "embedded"):
        nlp = Pipeline(pair_reader=reader)
        for name, rows in sets.items():
            drawn = random.Random(0).sample(rows, min(most, len(rows)))
            found = nlp.judge([(row.first, row.second) for row, _ in drawn])
            judged = zip(found, drawn, strict=True)
            right = np.array(
                [one.best is not None and may[LABELS.index(one.best)] for one, (_, may) in judged]
            )
            decided = np.array([one.label not in (None, Label.UNSURE) for one in found])
            sure = np.array([one.probability for one in found]) >= 0.9
            yield (
                f"{name}, reader {reader}: right {right.mean():.3f}, decided {decided.mean():.2f}, "
                f"right there {right[decided].mean():.3f}, at .9 {sure.mean():.2f}, "
                f"wrong there {1 - right[sure].mean():.3f}"
            )


def main(
    kept: Kept,
    work: Path = Path("runs/judged-together.npz"),
    write: bool = False,
    tests: Annotated[int | None, "only measure so many pairs of each test set"] = None,
) -> None:
    settings = Settings(**table(__file__)["together"])
    torch.set_num_threads(1)
    if tests:
        print("\n".join(on_tests(kept.data, tests)))
        return
    task = task_of(kept.read(), work)
    found, data = out_of_fold(task, settings), task.data
    least = thresholds(found, data.allowed, data.sources)
    rows = zip(LABELS, least.round(2).tolist(), strict=True)
    lines = [f"{label:<20} {row}" for label, row in rows]
    columns = {"comparison": task.compared, "reader": by_reader(task.read), "both": found}
    lines += ["", "Out of fold: right, share at .9 or more, wrong there", ""]
    lines += report(data.sources, columns, data.allowed)
    print("\n".join(lines))
    if write:
        both = inputs(task.features, task.compared, task.read)
        about = {"learned": "python -m models.judge.together", "pairs": task.key}
        final = JudgedTogether(network_of(both, data, settings), least)
        FILE.write_text(json.dumps(final.to_dict() | about) + "\n", "utf-8")
        LOG.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    run(main)
