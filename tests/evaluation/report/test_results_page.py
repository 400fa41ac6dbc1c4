"""The page of results says what the committed cards and the papers' rows say."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[3] / "docs"
README = (DOCS.parent / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "make_results.py"))


def test_the_page_is_made_from_the_cards(script: dict[str, Any]) -> None:
    made = script["page"](script["cards_of_results"]())
    assert (DOCS / "results.md").read_text(encoding="utf-8") == made, (
        "run: python docs/make_results.py"
    )


def test_committed_cards_hold_no_rows_of_data(script: dict[str, Any]) -> None:
    cards = script["cards_of_results"]()
    assert {name for name, _ in cards} == {"sts3k", "stsb", "sick"}
    assert not [name for name, card in cards.items() if card.columns or card.groups]


@pytest.mark.parametrize(
    "path", sorted((DOCS / "published").glob("*.toml")), ids=lambda path: path.stem
)
def test_published_rows_are_whole_and_name_rows_that_exist(
    path: Path, script: dict[str, Any]
) -> None:
    paper = tomllib.loads(path.read_text(encoding="utf-8"))
    assert all(paper[key] for key in ("authors", "title", "venue", "doi"))
    names = {name for _, name in script["cards_of_results"]()}
    for row in paper["row"]:
        assert row["model"]
        assert row["setting"]
        assert row["difference"]
        assert row.keys() & {"all", "non_adversarial", "adversarial"}
        assert row.get("ours") in {None, *names}


COLUMNS = [
    ("sts3k", "all"),
    ("sts3k", "non-adversarial"),
    ("sts3k", "adversarial"),
    ("stsb", "all"),
    ("sick", "all"),
]


def test_the_table_of_the_readme_is_that_of_the_cards(script: dict[str, Any]) -> None:
    cards = script["cards_of_results"]()
    rows = re.findall(
        r"^\| `([a-z-]+)`[^|\n]*((?:\| \**-?\.\d{3}\** ){5})\|$", README, re.MULTILINE
    )
    assert [name for name, _ in rows] == ["hybrid", "verbnet-cn", "dependency-cn", "embedded"]
    for name, cells in rows:
        figures = [cards[task, name].scores[group]["spearman"].value for task, group in COLUMNS]
        assert [float(cell.strip("* ")) for cell in cells.split("|")[1:]] == [
            round(figure, 3) for figure in figures
        ]
