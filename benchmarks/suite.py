"""The models on the quality sets: result cards, and a table of what differs.

    python -m benchmarks.suite --data ../shared/data [--models hybrid …] [--sets stsb …]

The sets are in ``suite.toml``, which ``hybridsem evaluate`` runs too, the models in
``suite_models.toml``. Whole cards, with the scores of single pairs, go to ``runs/suite/``. Cards
without them go to ``benchmarks/results/`` (the data are others'), with the table of the rated sets,
``comparison.md``, if the whole cards of all its rows are there. ``hybridsem compare`` tests the
whole cards of models against each other.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from benchmarks.command import DATA, ROOT, run
from hybridsem import Pipeline, evaluation
from hybridsem._utils.tables import read_table
from hybridsem.evaluation import Card, EvaluatedModel
from hybridsem.evaluation.suite import QualitySet, evaluate_suite, read_suite

SUITE = Path(__file__).with_name("suite.toml")
RUNS, RESULTS = ROOT / "runs" / "suite", Path(__file__).parent / "results"
COMPARED = ("sts3k", "stsb", "sick")
GROUPS = ("all", "non-adversarial", "adversarial")


TABLE: Mapping[str, Any] = read_table(Path(__file__).with_name("suite_models.py"))
ROWS = (*TABLE["models"], *TABLE["released"])


def model_of(row: str, data: Path) -> EvaluatedModel:
    """Return the model of a row."""
    if row in TABLE["released"]:
        name = TABLE["similarities"].format(TABLE["released"][row])
        return evaluation.similarities_file(data / name)
    parts = {"model": row, **TABLE["models"].get(row, TABLE["analogies"].get(row))}
    parts.pop("sets", None)
    files = {name: TABLE[name].format(data=data) for name in ("spring", "glove", "minilm")}
    return evaluation.evaluated_model(
        Pipeline(**{part: value.format_map(files) for part, value in parts.items()})
    )


def sets_of(row: str, sets: Sequence[QualitySet]) -> list[QualitySet]:
    """Return the sets that a row is evaluated on."""
    group = "parsed" if row in TABLE["released"] else TABLE["models"][row].get("sets", "all")
    return [one for one in sets if group == "all" or one.name in TABLE["groups"][group]]


def card_file(folder: Path, set_name: str, row: str) -> Path:
    """Return the file of a row's card."""
    stem = row.lower().replace(", ", ".").replace(" + ", ".").replace(" ", "-")
    return folder / set_name / f"{stem}.json"


def evaluated(
    row: str, model: EvaluatedModel, sets: Sequence[QualitySet], data: Path, resamples: int
) -> Iterator[str]:
    """Evaluate a row, write its cards, and yield a line for each set."""
    began = time.perf_counter()
    for one, whole in evaluate_suite(sets, model, resamples=resamples):
        about = {key: str(value).replace(f"{data}/", "") for key, value in whole.model.items()}
        card = replace(whole, model=about | {"name": row})
        small = replace(card, columns={}, groups={})
        published = one.name in (*TABLE["groups"]["all"], "analogies")
        for folder, content in ((RUNS, card), (RESULTS, small))[: 1 + published]:
            path = card_file(folder, one.name, row)
            path.parent.mkdir(parents=True, exist_ok=True)
            content.save(path)
        figures = (f"{group} {e.value:.3f}" for group, e in card.headline.items() if e.value)
        seconds, began = time.perf_counter() - began, time.perf_counter()
        yield f"{row:<24} {one.name:<24} {'  '.join(list(figures)[:6])}  {seconds:.1f} s"


def write_comparison(resamples: int) -> None:
    """Print the table of the rated sets, from the whole cards of all rows that have been run here.
    Write it if these are all rows that have a card in the results.
    """
    from hybridsem.evaluation.report.compare import compare
    from hybridsem.evaluation.report.tables import LAYOUTS

    cells = [(name, row) for row in ROWS for name in COMPARED]
    whole = [cell for cell in cells if card_file(RUNS, *cell).is_file()]
    cards: list[Card] = [evaluation.load_card(card_file(RUNS, *cell)) for cell in whole]
    if not cards:
        return
    table = compare(cards, groups=GROUPS, resamples=resamples)
    print(LAYOUTS["text"](table, False))
    if all(cell in whole or not card_file(RESULTS, *cell).is_file() for cell in cells):
        (RESULTS / "comparison.md").write_text(LAYOUTS["markdown"](table, False), encoding="utf-8")
    else:
        print(f"comparison.md is kept: {RUNS} lacks whole cards of its other rows")


def main(
    data: Path = DATA,
    suite: Path = SUITE,
    models: Annotated[Sequence[str], ROWS] = ROWS,
    sets: Annotated[Sequence[str], "default: those in results/"] = (),
    resamples: int = 10_000,
) -> None:
    wanted = sets or TABLE["groups"]["all"]
    chosen = [one for one in read_suite(suite, data) if one.name in wanted]
    for row in models:
        own = sets_of(row, chosen)
        for line in evaluated(row, model_of(row, data), own, data, resamples):
            print(line, flush=True)
    write_comparison(resamples)


if __name__ == "__main__":
    run(main)
