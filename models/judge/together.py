"""Learn how much a pair reader has to say in a judgement.

    python -m models.judge.together --made runs/pairs.jsonl [--write]

Only pairs that the reader has not learned from count, every kind of text with the same weight
(``weight_of``). The constants are those of ``hybridsem/judge/together.py``; figures are out of
fold. ``--write`` writes ``hybridsem/data/judged_together.json`` and ``together.log`` beside this
file; run ``python -m models.manifest`` afterwards.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch

from hybridsem import Pipeline
from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem.calibration.fitting import isotonic
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.datasets.splits import components
from hybridsem.judge.features import observe_batch
from hybridsem.judge.judgement import probabilities_of
from hybridsem.judge.together import (
    EXCHANGED,
    LEAST,
    LIKENESS,
    MEANING,
    MEANINGS,
    ODDS,
    PROVEN,
    TURNED,
    JudgedTogether,
    excluded,
    gates,
    read_labels,
)
from hybridsem.judge.verdict import KINDS, PRECISIONS
from hybridsem.pair_reader import EmbeddedPairReader, Readings
from models.pair_reader.data import ANY, CONTRADICTION, ENTAILMENT, NEUTRAL, ROWS, Row, kept_rows

FILE = Path(__file__).parents[2] / "hybridsem/data/judged_together.json"
LOG = Path(__file__).with_name("together.log")
LEFT_OUT = ("made", "edited", "reworded", "sts3k")
"""Sources that are no text of people, or say nothing about labels."""
WEIGHTS = {"plain-english": 4.0, "mnli": 3.0, "lingnli": 2.0, "sick": 2.0, "mrpc": 2.0}
"""The share of a source in the objective, if it is not 1."""
FOLDS, STEPS, RATE, SHRINK = 5, 300, 0.05, 1e-3
FEWEST, DIGITS, NEVER = 30, 5, 1.01
CHUNK, DRAWS = 1000, 20_000


def allowed_of(row: Row) -> list[bool]:
    """The labels that a pair may have, by what its annotation says."""
    same = bool(row.forward & ENTAILMENT and row.backward & ENTAILMENT)
    entails = bool(row.forward & ENTAILMENT and row.backward & NEUTRAL)
    entailed = bool(row.forward & NEUTRAL and row.backward & ENTAILMENT)
    neither = bool(row.forward & NEUTRAL and row.backward & NEUTRAL)
    excludes = bool(row.forward & CONTRADICTION and row.backward & CONTRADICTION)
    if row.paraphrase == 1:
        neither = excludes = False
    elif row.paraphrase == 0:
        same = False
    return [same, entails, entailed, neither, excludes, neither]


def held_rows(rows: Sequence[Row]) -> list[Row]:
    """The pairs to learn from: those held back that have a label."""
    found = [
        row
        for row in rows
        if row.held
        and row.source not in LEFT_OUT
        and (row.forward != ANY or row.backward != ANY or row.paraphrase == row.paraphrase)
    ]
    return [row for row in found if not all(allowed_of(row))]


def extract(pairs: Sequence[tuple[str, str]]) -> dict[str, Float64Array]:
    """What the comparison and the reader say of pairs: probabilities, gates, readings."""
    nlp, reader = Pipeline("hybrid", pair_reader=None), EmbeddedPairReader()
    combiner = nlp.combiner
    assert isinstance(combiner, HybridCombiner)
    parts = []
    for start in range(0, len(pairs), CHUNK):
        batch = nlp.read(pairs[start : start + CHUNK])
        features = observe_batch(batch, combiner.compared(batch))
        parts.append((probabilities_of(batch, features), gates(features)))
        print(f"{start + len(batch.pairs)} of {len(pairs)}", flush=True)
    read = np.column_stack(reader.read(pairs))
    columns = map(np.concatenate, zip(*parts, strict=True))
    return dict(zip(("compared", "gates"), columns, strict=True)) | {"read": read}


def fit(
    compared: Float64Array,
    trusted: Float64Array,
    read: Readings,
    allowed: BoolArray,
    weight: Float64Array,
) -> JudgedTogether:
    """The constants, by gradient descent on −log of the probability of what is allowed."""
    meanings, odds = (torch.from_numpy(one) for one in read_labels(read))
    base = torch.from_numpy(np.log(np.maximum(compared, LEAST)))
    out, may = (torch.from_numpy(one) for one in (excluded(compared), allowed))
    shares, known = torch.from_numpy(weight / weight.sum()), torch.from_numpy(trusted)
    start = torch.zeros((2, trusted.shape[1]), dtype=torch.float64)
    start[:, :PROVEN] = 0.5
    trust = start.clone().requires_grad_()
    w = torch.zeros((MEANINGS, ODDS), dtype=torch.float64, requires_grad=True)
    bias = torch.zeros(MEANINGS, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([trust, w, bias], lr=RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, STEPS)
    for _ in range(STEPS):
        both = (odds @ w.T + (odds[:, TURNED] @ w.T)[:, EXCHANGED]) / 2
        even = (bias + bias[EXCHANGED]) / 2
        a, b = (known @ trust.T).clamp(min=0).T[:, :, None]
        values = (b * meanings + both + even)[:, MEANING] + a * base
        chances = values.masked_fill(out, -1e4).log_softmax(-1)
        lost = -(chances.masked_fill(~may, -1e4).logsumexp(-1) * shares).sum()
        optimiser.zero_grad()
        (lost + SHRINK * ((w**2).sum() + ((trust - start) ** 2).sum())).backward()
        optimiser.step()
        schedule.step()
    even = (bias + bias[EXCHANGED]) / 2
    values = (one.detach().numpy().round(DIGITS) for one in (*trust, w, even))
    return JudgedTogether(*values, np.tile(PRECISIONS, (PROVEN + 1, 1)))


def thresholds(
    found: Float64Array, kinds: IntArray, allowed: BoolArray, weight: Float64Array
) -> Float64Array:
    """The least probability of a label for each precision, (kinds + 1, precisions)."""
    table = np.tile(PRECISIONS, (PROVEN + 1, 1))
    most, right = found.max(1), allowed[np.arange(len(found)), found.argmax(1)]
    for kind in range(PROVEN + 1):
        rows = kinds == kind
        if rows.sum() < FEWEST:
            continue
        table[kind] = NEVER
        shares = weight[rows] / weight[rows].sum()
        drawn = np.random.default_rng(0).choice(np.flatnonzero(rows), DRAWS, p=shares)
        curve = isotonic(most[drawn, None], right[drawn])
        for column, wanted in enumerate(PRECISIONS):
            enough = curve.knots[curve.values >= wanted]
            if len(enough):
                table[kind, column] = min(enough)
    return table.round(DIGITS)


def report(
    sources: Sequence[str], found: dict[str, Float64Array], allowed: BoolArray
) -> Iterator[str]:
    """By source: how often the best label is one that is allowed, at what probabilities."""
    yield f"{'':<24}{'pairs':>6}" + "".join(f"{name:>28}" for name in found)
    for source in (*dict.fromkeys(sources), ""):
        rows = np.flatnonzero([not source or one == source for one in sources])
        line = f"{source or 'all':<24}{len(rows):>6}"
        for chances in found.values():
            most, best = chances[rows].max(1), chances[rows].argmax(1)
            right, sure = allowed[rows, best], most >= 0.9
            wrong = 1 - right[sure].mean() if sure.any() else float("nan")
            line += f"   {right.mean():.3f}, {sure.mean():.2f} sure {wrong:.2f} wrong"
        yield line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--made", type=Path, help="what models.pairs wrote")
    parser.add_argument("--rows", type=Path, default=ROWS)
    parser.add_argument("--work", type=Path, default=Path("runs/judged-together.npz"))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = held_rows(kept_rows(options.data, options.made, options.rows))
    pairs = [(row.first, row.second) for row in rows]
    key = hashlib.sha256(json.dumps(pairs).encode()).hexdigest()
    if not options.work.is_file():
        np.savez_compressed(options.work, key=key, **extract(pairs))
    with np.load(options.work) as kept:
        if str(kept["key"]) != key:
            raise SystemExit(f"{options.work} is of other pairs; delete it")
        compared, trusted, read = kept["compared"], kept["gates"], kept["read"]
    usable = np.flatnonzero(~np.isnan(compared[:, 0]))
    compared, trusted, read = compared[usable], trusted[usable], Readings(*read[usable].T)
    kinds = np.where(trusted[:, PROVEN] > 0, PROVEN, trusted[:, :PROVEN].argmax(1))
    sources = [rows[n].source for n in usable]
    allowed = np.array([allowed_of(rows[n]) for n in usable])
    counts = {name: sources.count(name) for name in set(sources)}
    weight = np.array([WEIGHTS.get(name, 1.0) / counts[name] for name in sources])
    folds = components([pairs[n] for n in usable]) % FOLDS
    found = np.zeros_like(compared)
    for fold in range(FOLDS):
        chosen, rest = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        learned = fit(
            compared[chosen], trusted[chosen], read.taken(chosen), allowed[chosen], weight[chosen]
        )
        found[rest] = learned.probabilities(compared[rest], read.taken(rest), trusted[rest])
    final = fit(compared, trusted, read, allowed, weight)
    table = thresholds(found, kinds, allowed, weight)
    final = JudgedTogether(final.compared, final.read, final.weights, final.bias, table)
    lines = [json.dumps(final.to_dict()), ""]
    names = (*KINDS, "proof", *LIKENESS)
    lines += [
        f"{name:<13} comparison {a:.2f}, reader {b:.2f}"
        for name, a, b in zip(names, final.compared, final.read, strict=True)
    ]
    lines += [
        f"{name:<13} thresholds {row.round(2).tolist()}"
        for name, row in zip(names, table, strict=False)
    ]
    alone = np.exp(read_labels(read)[0])[:, MEANING]
    columns = {"comparison": compared, "reader": alone, "both": found}
    lines += ["", "Out of fold: right, share at .9 or more, wrong there", ""]
    lines += report(sources, columns, allowed)
    print("\n".join(lines))
    if options.write:
        about = {"learned": "python -m models.judge.together", "pairs": key}
        FILE.write_text(json.dumps(final.to_dict() | about) + "\n", "utf-8")
        LOG.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
