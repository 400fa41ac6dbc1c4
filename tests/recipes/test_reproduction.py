"""The papers' tables as data, the cards beside them, and the page that shows both."""

import csv
from pathlib import Path

import pytest

from benchmarks.reproduction.__main__ import PAPERS
from benchmarks.reproduction.page import page, unexplained
from benchmarks.reproduction.published import FOLDER, number, printed
from benchmarks.reproduction.tables import Figure, Reproduction, difference, load, save

TABLES = [table for tables in PAPERS.values() for table in tables]


def test_every_table_of_the_papers_is_on_the_page_once() -> None:
    names = [table.name for table in TABLES]
    assert sorted(names) == sorted(file.stem for file in FOLDER.glob("*.tsv"))
    titles = [line for line in page(PAPERS).splitlines() if line.startswith("### ")]
    assert titles == [f"### {printed(name).title}" for name in names]


def test_the_tables_are_those_of_the_shared_data(shared_data: Path) -> None:
    for file in (shared_data / "published").glob("*.tsv"):
        with file.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
        ours = printed(file.stem)
        assert {(row["row"], row["column"]): row["value"] or "?" for row in rows} == ours.cells
        assert {(ours.paper, ours.title)} == {(row["paper"], row["table"]) for row in rows}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_says_what_it_shows_and_differences_have_causes(table: Reproduction) -> None:
    figures = load(table.name)
    assert (figures is not None) == (table.measure is not None)
    assert unexplained(table, figures or []) == []
    used = {cause for figure in figures or [] for cause in figure.cause.split()}
    assert used <= set(table.causes)


def test_a_difference_is_to_what_is_at_hand_or_else_to_what_is_printed() -> None:
    assert difference("fodor-table9", Figure("Mean-CN", "STS3k-all", 0.37)) == pytest.approx(0.002)
    at_hand = Figure("Mean-CN", "STS3k-all", 0.37, expected=0.365)
    assert difference("fodor-table9", at_hand) == pytest.approx(0.005)
    assert difference("fodor-table9", Figure("ours", "STS3k-all", 0.37)) is None
    table = Reproduction("fodor-table9")
    assert unexplained(table, [at_hand, Figure("Mean-CN", "SICK", 0.6, cause="words")]) == [at_hand]


def test_numbers_as_they_are_printed() -> None:
    assert number("-.291") == (-0.291, 3)
    assert number("4.3e-119") == (4.3e-119, 0)
    assert number("8,628") == (8628, 0)
    assert number("-") is None
    assert number("60, 100") is None


@pytest.mark.parametrize(
    "name",
    [
        *("fodor-table7", "fodor-table8", "fodor-table10", "fodor-table11"),
        *("release-figure8-means", "release-sentbert-finetuned", "bansal-text"),
    ],
)
def test_what_is_quick_gives_its_card_again(name: str, tmp_path: Path, shared_data: Path) -> None:
    table = next(table for table in TABLES if table.name == name)
    save(name, table.measure(shared_data), tmp_path)
    assert load(name, tmp_path) == load(name)
