"""The pages of figures and the README's table agree with the committed cards."""

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.commands import ROOT

from hybridsem.evaluation import load_card
from hybridsem.registry import models

DOCS = ROOT / "docs"
README = (DOCS.parent / "README.md").read_text(encoding="utf-8")
COLUMNS = [
    ("sts3k", "all", "spearman"),
    ("sts3k", "non-adversarial", "spearman"),
    ("sts3k", "adversarial", "spearman"),
    ("stsb", "all", "spearman"),
    ("sick", "all", "spearman"),
]
RESULTS = DOCS.parent / "benchmarks" / "results"


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "make_results.py"))


def test_pages_are_written_from_the_cards(script: dict[str, Any], tmp_path: Path) -> None:
    script["write_pages"](tmp_path)
    pages = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert pages.keys() == script["PAGES"].keys()
    for card in script["ours"](script["cards_of_results"]()):
        assert card.fingerprint() in pages["similarity.md"]
        assert f"| {card.name} |" in pages["leaderboard.md"]
    assert all(f"| `{name}` |" in pages["models.md"] for name in models())


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


def test_the_table_of_the_readme_is_that_of_the_cards() -> None:
    rows = re.findall(
        r"^\| `([a-z0-9.-]+)`[^|\n]*((?:\| \**-?\.\d{3}\** ){5})\|$", README, re.MULTILINE
    )
    assert [name for name, _ in rows] == ["hybrid", "hybrid-0.1", "verbnet-cn", "embedded"]
    for name, cells in rows:
        cards = {task: load_card(RESULTS / task / f"{name}.json") for task, *_ in COLUMNS}
        figures = [cards[task].scores[group][measure].value for task, group, measure in COLUMNS]
        assert [float(cell.strip("* ")) for cell in cells.split("|")[1:]] == [
            round(figure, 3) for figure in figures
        ]
