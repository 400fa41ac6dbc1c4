"""The result card: written whole, read back equal, refused where it is not what this release
knows.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hybridsem.errors import FormatError
from hybridsem.evaluation import Card, load_card
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate, Reliability

CARD = Card(
    task={"name": "sts3k", "summary": "pairs", "headline": "spearman", "range": [0, 1]},
    data={"source": "STS3k", "split": None, "sha256": "ab" * 32, "rows": 3},
    model={"name": "hybrid", "kind": "pipeline", "vectors": "embedded"},
    settings={"seed": 7, "resamples": 10, "level": 0.95},
    versions={"hybridsem": "0.1.0"},
    scores={
        "all": {
            "spearman": Estimate(0.5, 0.25, 0.75, 3, 1),
            "kendall": Estimate(None, None, None, 1, 2, "fewer than two rows"),
            "split-half": Reliability(0.9, 0.8, 1.0, 3, splits=1000),
        },
        "adversarial gap": {"spearman": Difference(0.1, None, None, 3, p=0.25)},
    },
    counts={"rows": 3, "scored": 2, "failed": 1, "truncated": 0, "coverage": 0.666667},
    cost={"seconds": 1.5, "peak_memory_mb": None},
    created="2026-11-21T13:00:00+00:00",
    notes=("a note",),
    columns={"score": (0.25, None, 1.0), "gold": (0.0, 0.5, 1.0), "type": ("QUAD", "", "été")},
    groups={"adversarial": (0, 2)},
)


def test_a_card_is_read_back_equal(tmp_path: Path) -> None:
    CARD.save(tmp_path / "card.json")
    assert load_card(tmp_path / "card.json") == CARD
    assert [path.name for path in tmp_path.iterdir()] == ["card.json"]
    lines = (tmp_path / "card.json").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if "été" in line]) == 1  # the rows are packed in one line


def test_a_card_is_short_in_a_list_a_table_when_printed_and_one_in_a_notebook() -> None:
    assert repr([CARD]) == (
        "[Card(sts3k, hybrid: spearman all 0.500 [0.250, 0.750], adversarial gap 0.100)]"
    )
    lines = str(CARD).splitlines()
    assert lines[0] == "hybrid on sts3k"
    assert lines[1].split() == ["spearman", "kendall", "split-half"]
    assert lines[3] == "adversarial gap  0.100"
    assert lines[4] == "3 rows, 2 scored, 1 failed, 0.666667 coverage"
    assert lines[-1] == CARD.fingerprint()
    shown = replace(CARD, model={"name": "<b>x</b>"})._repr_html_()
    assert '<th scope="row">adversarial gap</th><td class="hs-n">0.100</td>' in shown
    assert "&lt;b&gt;x&lt;/b&gt; on sts3k" in shown
    assert "<b>x" not in shown


def test_the_fingerprint_is_one_line_to_quote() -> None:
    line = CARD.fingerprint()
    assert line.startswith("hybridsem 0.1.0 | sts3k, 3 rows, data abababababab | hybrid | ")
    one_row = replace(CARD, data={**CARD.data, "rows": 1})
    assert "| sts3k, 1 row, data" in one_row.fingerprint()
    for part in ("| scored 2/3 | seed 7 | card ", "adversarial gap 0.100 |"):
        assert part in line
    assert "spearman all 0.500 [0.250, 0.750]" in line
    assert "\n" not in line
    same = replace(CARD, cost={"seconds": 99.0}, created="")
    assert same.fingerprint() == line  # neither time nor date
    assert replace(CARD, settings={**CARD.settings, "seed": 8}).digest != CARD.digest


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "has version 2, and this release reads 1; upgrade"),
        ({"schema": "other"}, "not a result card"),
        ({"scores": None}, "the card is damaged"),
        ({"task": {"name": "sts3k"}}, "damaged: ValueError: task has no 'headline'"),
        ({"model": {}}, "model has no 'name'"),
        ({"rows": {"columns": {"score": [1, 2], "gold": [1]}}}, r"different lengths, got \[1, 2\]"),
        ({"rows": {"columns": {"score": [1]}, "groups": {"some": [1]}}}, "'some' names a row"),
    ],
)
def test_what_is_no_card_of_this_release_is_refused(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    file = tmp_path / "card.json"
    file.write_text(json.dumps({**CARD.to_dict(), **change}), encoding="utf-8")
    with pytest.raises(FormatError, match=said):
        load_card(file)
