"""Result cards side by side: what is tested against what, what is refused, and how the table is
written.
"""

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.cards import CARDS, GOLD, HALF, SCORES, N, card
from support.commands import Run

from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.report.compare import compare
from hybridsem.evaluation.report.tables import LAYOUTS, Cell, ComparisonTable, figure
from hybridsem.evaluation.statistics.model_tests import holm, paired_bootstrap, williams
from hybridsem.evaluation.statistics.rating_correlations import Estimate


def column(comparison: ComparisonTable, group: str) -> dict[str, Cell]:
    return {
        model: cell for (model, where), cell in comparison.cells.items() if where.group == group
    }


def test_the_best_of_a_column_and_what_is_not_separable_from_it() -> None:
    found = compare(CARDS, resamples=500)
    assert found.models == tuple(SCORES)
    named = [(where.task, where.split, where.group) for where in found.columns]
    assert named == [("toy", "test", "all"), ("toy", "test", "half")]
    assert found.tests == 4
    cells = column(found, "all")
    [best] = [name for name, cell in cells.items() if cell.is_best]
    [other] = {"good", "as good"} - {best}
    assert cells[best].separable is None
    assert (cells[other].separable, cells["poor"].separable) == (False, True)
    assert cells["poor"].estimate == CARDS[2].scores["all"]["spearman"]


def test_p_values_are_the_paired_tests_corrected_over_the_table() -> None:
    half = list(HALF)
    for test in ("bootstrap", "williams"):
        raw = []
        for rows in (slice(None), half):
            for name in ("as good", "poor"):
                columns = SCORES[name][rows], SCORES["good"][rows], GOLD[rows]
                if test == "bootstrap":
                    raw.append(paired_bootstrap(*columns, "pearson", resamples=300, seed=2).p)
                else:
                    raw.append(williams(*columns, "pearson").p)
        settings: dict[str, Any] = {"measure": "pearson", "against": "good", "test": test}
        for correction, wanted in (("none", raw), ("holm", holm(raw))):
            settings |= {"correction": correction, "resamples": 300, "seed": 2}
            found = compare(CARDS, **settings)
            columns_of = [column(found, group) for group in ("all", "half")]
            shown = [cells[name].p for cells in columns_of for name in ("as good", "poor")]
            assert shown == pytest.approx(list(wanted))


def test_missing_scores_leave_a_row_out_for_the_two_models_compared() -> None:
    holes = SCORES["as good"].copy()
    holes[:5] = math.nan
    cards = [CARDS[0], card("holes", holes), CARDS[2]]
    found = compare(cards, groups=["all"], against="good", resamples=300)
    cells = column(found, "all").items()
    tested = {name: cell.difference for name, cell in cells if cell.difference}
    assert (tested["holes"].n, tested["holes"].missing) == (N - 5, 5)
    assert (tested["poor"].n, tested["poor"].missing) == (N, 0)
    assert tested["holes"] == paired_bootstrap(holes, SCORES["good"], GOLD, resamples=300)
    assert "holes, toy test: no score for 5 of 240 rows (all)." in LAYOUTS["text"](found, False)


def test_cards_of_different_data_are_refused_or_kept_apart() -> None:
    data = {"source": "new.csv", "split": "test", "sha256": "cd" * 32, "rows": N}
    other = card("other", SCORES["poor"], data=data)
    said = r"'good' on toy.csv \(240 rows, abab.*'other' on new.csv .*--different-data"
    with pytest.raises(InputError, match=said):
        compare([CARDS[0], other])
    found = compare([CARDS[0], other], allow_different_data=True)
    assert (found.tests, len(found.columns)) == (0, 4)
    text = LAYOUTS["text"](found, False)
    assert "toy test data abababab" in text
    assert "toy test data cdcdcdcd" in text
    # Another benchmark, or another split, is another column and nothing to refuse.
    split = card("good", data=dict(other.data) | {"split": "dev"})
    assert len(compare([CARDS[0], split]).columns) == 4


def test_what_cannot_be_tested_says_why() -> None:
    flat = card("flat", np.ones(N))
    bare = card("bare", SCORES["poor"], columns={}, groups={})
    cells = column(compare([CARDS[0], flat, bare], resamples=50), "all")
    assert "holds no scores" in cells["bare"].note
    assert (cells["flat"].difference, cells["flat"].estimate.value) == (None, None)
    text = LAYOUTS["text"](compare([CARDS[0], flat], resamples=50), False)
    assert "the scores are all the same" in text
    assert compare(CARDS, test="none").tests == 0
    # A statistic that is not a correlation over rows is shown and not judged.
    gap = card("good", scores={"gap": {"spearman": Estimate(0.1, None, None, N)}})
    assert column(compare([gap, card("poor", scores=gap.scores)]), "gap")["good"] == Cell(
        gap.scores["gap"]["spearman"]
    )


@pytest.mark.parametrize(
    ("cards", "options", "message"),
    [
        ([], {}, "no cards"),
        ([CARDS[0], CARDS[0]], {}, "two cards of 'good' on the same data"),
        (CARDS, {"measure": "accuracy"}, "no card has accuracy in all, half"),
        (CARDS, {"against": "god"}, "Did you mean 'good'"),
        (CARDS, {"test": "t"}, "unknown test, got 't'"),
    ],
)
def test_what_cannot_be_compared_is_named(
    cards: list[Card], options: dict[str, Any], message: str
) -> None:
    with pytest.raises((InputError, UnknownNameError), match=message):
        compare(cards, **options)


def tiny(name: str, *estimates: Estimate) -> Card:
    scores = {f"group {at}": {"spearman": e} for at, e in enumerate(estimates)}
    return card("good", model={"name": name}, scores=scores)


NONE = Estimate(None, None, None, 9, note="the scores are all the same")
TINY = compare(
    [
        tiny("a_b|<c>", Estimate(0.5, 0.25, 0.75, 9), Estimate(-0.125, -0.5, 0.25, 9)),
        tiny("100% $x$", Estimate(1.0, 1.0, 1.0, 9), NONE),
    ]
)
UNDEFINED = "100% $x$, toy test group 1: the scores are all the same."


def test_markdown_and_latex() -> None:
    assert LAYOUTS["markdown"](TINY, True).splitlines() == [
        "|  | toy test: group 0 | toy test: group 1 |",
        "| --- | --- | --- |",
        r"| a\_b\|\<c\> | .500 [.250, .750] | -.125 [-.500, .250] |",
        "| 100% $x$ | 1.000 [1.000, 1.000] | undefined |",
        "",
        f"Spearman's rho. No figure was tested. {UNDEFINED}",
    ]
    assert LAYOUTS["latex"](TINY, False).splitlines()[2:-1] == [
        r" & \multicolumn{2}{c}{toy test} \\",
        r" & group 0 & group 1 \\",
        r"\midrule",
        r"a\_b|<c> & .500 & $-$.125 \\",
        r"100\% \$x\$ & 1.000 & undefined \\",
        r"\bottomrule",
        r"\end{tabular}",
        "% Spearman's rho.",
        "% No figure was tested.",
    ]


def test_text_csv_and_json_say_the_same() -> None:
    found = compare(CARDS, resamples=300)
    records = json.loads(LAYOUTS["json"](found, False))["figures"]
    rows = list(csv.DictReader(io.StringIO(LAYOUTS["csv"](found, False))))
    assert [(row["model"], row["group"]) for row in rows] == [
        (one["model"], one["group"]) for one in records
    ]
    assert [float(row["value"]) for row in rows] == [one["value"] for one in records]
    lines = LAYOUTS["text"](found, False).splitlines()
    for model in SCORES:
        [line] = [line for line in lines if line.startswith(f" {model} ")]
        for one in (one for one in records if one["model"] == model):
            sign = "*" if one["best"] else "≈" if one["separable"] is False else ""
            assert f"{figure(one['value'])}{sign}" in line.split()
    said = "≈ marks what is not separable from the best of its column at p < 0.05"
    assert any(said in line for line in lines)


def test_names_are_written_as_they_are() -> None:
    scores = {"[bold]": {"spearman": Estimate(0.5, None, None, 9)}}
    strange = card("good", model={"name": "[/red]\n\\x\x1b"}, scores=scores)
    for layout in ("text", "markdown", "latex"):
        text = LAYOUTS[layout](compare([strange]), True)
        assert ".500" in text
        assert "bold" in text
        assert "\x1b" not in text
    assert "[/red] \\x\\x1b" in LAYOUTS["text"](compare([strange]), True)


def test_compare_on_the_command_line(run: Run) -> None:
    for one in CARDS:
        one.save(f"{one.name.replace(' ', '-')}.json")
    command = "compare good.json as-good.json poor.json"
    assert len(json.loads(run(f"{command} --resamples 200 --json").out)["figures"]) == 6
    assert run(f"{command} -g half --test williams --format latex -o table.tex").code == 0
    assert Path("table.tex").read_text(encoding="utf-8").startswith(r"\begin{tabular}{lc}")
    assert "two cards of 'good" in run("compare good.json good.json").err
