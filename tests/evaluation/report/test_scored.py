"""A scored file as a page: what is read, which rows are shown, and that nothing in a file can act
there.
"""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr
from support.browser import Browser
from support.commands import Run

from hybridsem import Pipeline
from hybridsem.batch import score_file
from hybridsem.errors import InputError
from hybridsem.evaluation.report.scored import explained, read_scored
from hybridsem.evaluation.report.scored_page import as_page

HOSTILE = "</td><script>alert(1)</script>\u202e"
ROWS = [
    ("a b c", "a b c", 5.0),
    ("a b c", "a b d", 1.0),
    ("a b", "x y", 4.0),
    ("", "x", 2.0),
    ("a b c d", "a b", 3.0),
]


def pairs_file(path: Path, rows: Sequence[tuple[object, ...]] = ROWS) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("s1", "s2", "rating"), *rows])
    return path


@pytest.fixture
def scored(tmp_path: Path) -> Path:
    """Five pairs scored by their common words, one of which cannot be."""
    out = tmp_path / "scored.csv"
    score_file(Pipeline("jaccard"), pairs_file(tmp_path / "in.csv"), out, on_error="skip")
    return out


def test_the_figures_are_those_of_the_file(scored: Path) -> None:
    found = read_scored(scored)
    assert (found.rows, found.scored, found.with_gold, found.unusable) == (5, 4, 5, 1)
    named = {"sentence 1": "s1", "sentence 2": "s2", "score": "score", "gold score": "rating"}
    assert found.columns == named
    scores, golds = [1.0, 0.5, 0.0, 0.5], [5.0, 1.0, 4.0, 3.0]
    expected = float(spearmanr(scores, golds).statistic)
    estimate = found.correlations["spearman"]
    assert estimate.value == pytest.approx(expected)
    assert (estimate.low, estimate.n) == (None, 4)  # too few for an interval
    assert found.quartiles == (0, 0.375, 0.5, 0.625, 1)
    assert sum(count for *_, count in found.distribution) == 4
    assert sum(map(sum, found.grid)) == 4
    [note] = found.notes
    assert "blank" in note


def test_the_furthest_from_the_gold_scores_come_first(scored: Path) -> None:
    found = read_scored(scored)
    # By score the third pair is the last of four, by gold score the second best.
    assert [pair.line for pair in found.shown][:2] == [4, 3]
    assert found.shown[0].gap == pytest.approx((1 - 3) / 4)
    assert found.shown[1].gap == pytest.approx((2.5 - 1) / 4)
    assert found.shown[-1].gap is None or found.shown[-1].gap == 0
    assert found.choice == "all rows"


def test_without_gold_scores_the_scores_are_not_taken_for_them(tmp_path: Path) -> None:
    path = tmp_path / "scored.csv"
    path.write_text("s1,s2,score\na,b,0.25\nc,d,\n")
    found = read_scored(path)
    assert found.with_gold == 0
    assert found.correlations == {}
    assert found.notes == {"no score": 1}
    page = as_page(found)
    assert "There is no column of gold scores." in page
    assert "too high by" not in page


def test_of_a_large_file_the_rows_that_matter_are_shown(tmp_path: Path) -> None:
    """The furthest, those with a note, and some of every score; the figures are of all."""
    path = tmp_path / "scored.csv"
    rng = np.random.default_rng(0)
    golds = rng.uniform(0, 5, 3000)
    scores = golds / 5
    scores[[10, 20]] = 0.0, 1.0
    golds[[10, 20]] = 5.0, 0.0
    with path.open("w") as stream:
        stream.write("s1,s2,gold,score,note\n")
        for row, (gold, score) in enumerate(zip(golds, scores, strict=True)):
            note = "truncated: longer than the encoder reads" if row == 1500 else ""
            shown = "" if row == 2000 else f"{score:.4f}"
            stream.write(f"one {row},two {row},{gold:.4f},{shown},{note}\n")
    found = read_scored(path, rows=60, resamples=10)
    assert found.rows == 3000
    assert found.scored == 2999
    assert len(found.shown) <= 60
    assert [pair.line for pair in found.shown[:2]] == [12, 22]
    assert {pair.line for pair in found.shown} >= {1502, 2002}
    assert found.choice.startswith(f"{len(found.shown)} of 3,000 rows: the 30 furthest from their")
    values = sorted(pair.score for pair in found.shown if pair.score is not None)
    assert max(np.diff(values)) < 0.1
    estimate = found.correlations["pearson"]
    assert (estimate.low or 0) <= (estimate.value or 0) <= (estimate.high or 0)
    page = as_page(found)
    assert found.choice in page
    assert f"Pearson&#x27;s r {estimate.value:.3f} [{estimate.low:.3f}" in page


def test_details_are_read_and_no_explanation_is_made(tmp_path: Path) -> None:
    out = tmp_path / "scored.jsonl"
    pairs = [("The dog chased the cat.", "The cat chased the dog.", 2.0)]
    score_file(Pipeline("verbnet-cn"), pairs_file(tmp_path / "in.csv", pairs), out, details=True)
    found = read_scored(out)
    figures = found.shown[0].figures
    assert "Agent" in figures
    assert "score" not in figures
    page = as_page(found)
    assert '<th scope="row">Agent</th>' in page
    assert "that --details added to the file" in page


def test_explanations_of_another_model_are_told_apart(scored: Path) -> None:
    found = explained(read_scored(scored), Pipeline("rouge"), 3, "half")
    assert (found.explained, found.others) == (3, 2)
    page = as_page(found)
    assert "Made for 3 of the pairs shown, by half." in page
    assert "2 of them differ from the file in the score" in page
    assert page.count('<details class="why"') == 3


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("s1,s2\na,b\n", {}, "no column 'score' of scores"),
        ("s1,s2,score\na,b,1\n", {"rows": 0}, "rows is a whole number"),
        ("s1,s2,score\n", {}, "a header and no pairs"),
    ],
)
def test_what_is_no_scored_file_is_refused(
    tmp_path: Path, text: str, options: dict[str, Any], said: str
) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_scored(path, **options)


def test_the_command(scored: Path, run: Run) -> None:
    [figures] = run("report scored.csv -o report.html --model jaccard --json").objects
    assert (figures["rows"], figures["explained"], figures["explained_otherwise"]) == (5, 4, 0)
    assert figures["model"] == "jaccard"
    text = Path("report.html").read_text(encoding="utf-8")
    assert text.count('<details class="why"') == 4
    assert not list(Path().glob("*.part"))


@pytest.fixture
def page(scored: Path, tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    found = explained(read_scored(scored), Pipeline("jaccard"), 2, "jaccard")
    path.write_text(as_page(found), encoding="utf-8")
    return path


SHOWN = """[...document.querySelectorAll('.pairs tbody tr')].filter(row => !row.hidden)
  .map(row => row.cells[0].textContent)"""


def chosen(name: str, value: str) -> str:
    """A script that fills in a field as a reader does."""
    return (
        f"(() => {{ const field = document.getElementById({name!r}); field.value = {value!r};"
        "field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


def test_the_page_sorts_and_filters(window: Browser, page: Path) -> None:
    window.open(page)
    assert window.run(SHOWN) == ["4", "3", "6", "2", "5"]
    window.click(".pairs th[data-key=line] button")
    assert window.run(SHOWN) == ["2", "3", "4", "5", "6"]
    assert window.run("document.querySelector('[data-key=line]').ariaSort") == "ascending"
    for value in ("score up", "distance down"):
        window.run(chosen("sort", value))
        assert window.run(SHOWN) == ["4", "3", "6", "2", "5"], "without a score it comes last"
    for field, value, lines in (
        ("from", "0.4", ["3", "6", "2"]),
        ("words", "a b d", ["3"]),
        ("kind", "none", ["5"]),
    ):
        window.run(chosen(field, value))
        assert window.run(SHOWN) == lines
        window.click(".filters [type=reset]")
        window.wait_for(f"{SHOWN}.length === 5")
    window.click(".pairs tbody a")
    window.wait_for("document.querySelector('.why').open")
    assert window.errors == []
    assert not [url for url in window.requests if not url.startswith("file:")]


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_the_width_of_a_phone(window: Browser, page: Path, width: int) -> None:
    assert window.untidy(page, width) == []
