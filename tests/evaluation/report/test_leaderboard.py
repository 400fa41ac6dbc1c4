"""The page that ranks models: ranges of ranks, what its files say, what is refused; and in a
headless browser, what a reader does with it.
"""

import csv
import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from html import unescape
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from support.browser import Browser
from support.cards import CARDS, SCORES, card
from support.commands import ROOT, Run

from hybridsem.cli import cli
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation.card import Card, load_card
from hybridsem.evaluation.report.leaderboard.board import Table, leaderboard, rank, read_published
from hybridsem.evaluation.report.leaderboard.files import FILES, read_cards, write
from hybridsem.evaluation.report.leaderboard.page import rank_note
from hybridsem.evaluation.report.leaderboard.provenance import command, kind, known, needs
from hybridsem.evaluation.report.tables import figure
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate

RESULTS = ROOT / "benchmarks" / "results"
HOSTILE = "<img src=x onerror=\"document.title='hacked'\">' | `a` *b* \x1b[31m\u202e"


def bare(given: Card) -> Card:
    """A card without the values of its rows."""
    return replace(given, columns={}, groups={})


def ranks(table: Table, group: str) -> dict[str, str]:
    return {row.name: row.figures[group].ranks for row in table.rows}


def estimate(value: float | None, low: float | None = None, high: float | None = None) -> Estimate:
    return Estimate(value, low, high, 10)


# Ranks


SURE, UNSURE = (0.01, 0.005, 0.015, 10, 0, "", 0.001), (0.3, -0.1, 0.5, 10, 0, "", 0.2)
OVERLAP, APART = [(0.81, 0.7, 0.9), (0.80, 0.7, 0.9)], [(0.9, 0.85, 0.95), (0.6, 0.5, 0.7)]


@pytest.mark.parametrize(
    ("figures", "tests", "places", "ways"),
    [
        # What overlaps shares ranks; those of a chain are ranges.
        ([(0.81, 0.79, 0.83), (0.8, 0.78, 0.82), (0.6, 0.57, 0.63)], {}, "12 12 33", (0, 3, 0)),
        ([(0.9, 0.8, 1.0), (0.75, 0.65, 0.85), (0.6, 0.5, 0.7)], {}, "12 13 23", (0, 3, 0)),
        # A test goes before intervals.
        (OVERLAP, {"ab": SURE}, "11 22", (1, 0, 0)),
        (OVERLAP, {"ba": SURE}, "22 11", (1, 0, 0)),
        (APART, {"ab": UNSURE}, "12 12", (1, 0, 0)),
        # Without intervals all share a rank, and without a value there is none.
        ([(0.9,), (0.1,), (None,)], {}, "12 12", (0, 0, 1)),
    ],
)
def test_ranks(figures: Any, tests: Any, places: str, ways: tuple[int, int, int]) -> None:
    given = {tuple(pair): Difference(*one) for pair, one in tests.items()}
    found = rank({name: estimate(*one) for name, one in zip("abc", figures, strict=False)}, given)
    assert " ".join(f"{first}{last}" for _, (first, last) in sorted(found.places.items())) == places
    assert (found.tested, found.by_intervals, found.undecided) == ways


def test_the_p_values_of_a_column_are_corrected_together() -> None:
    names = "abcdef"
    figures = {name: estimate(0.9 - 0.1 * place) for place, name in enumerate(names)}
    pairs = [*combinations(names, 2)]
    given = {pair: Difference(0.1, 0.0, 0.2, 10, p=0.04) for pair in pairs[:1]}
    assert rank(figures, given).places["a"] == (1, 5)
    given |= {pair: Difference(0.1, 0.0, 0.2, 10, p=0.9) for pair in pairs[1:]}
    assert rank(figures, given).places["a"] == (1, 6)


def test_cards_with_rows_are_tested_and_others_by_intervals() -> None:
    [table] = leaderboard(CARDS, resamples=400).tables
    assert ranks(table, "all") == {"good": "1–2", "as good": "1–2", "poor": "3"}
    assert table.rankings["all"].tested == 3
    [mixed] = leaderboard([*CARDS[:2], bare(CARDS[2])], resamples=400).tables
    assert (mixed.rankings["all"].tested, mixed.rankings["all"].by_intervals) == (1, 2)
    assert ranks(mixed, "all") == ranks(table, "all")
    board = leaderboard([*map(bare, CARDS)], resamples=400)
    [none] = board.tables
    assert (none.rankings["all"].tested, none.rankings["all"].by_intervals) == (0, 3)
    assert "95 % intervals overlap" in rank_note(board, none)
    assert "(2 of 6 pairs)" in rank_note(board, mixed)


# Tables


def test_a_table_a_benchmark_and_data_set() -> None:
    other = replace(CARDS[0], data={**CARDS[0].data, "sha256": "cd" * 32, "source": "other.csv"})
    known = replace(CARDS[0], task={**CARDS[0].task, "name": "sts3k"})
    board = leaderboard([other, known, *CARDS], resamples=50)
    titles = ["sts3k test", "toy test (toy.csv, 240 rows)", "toy test (other.csv, 240 rows)"]
    assert [table.title for table in board.tables] == titles
    assert len({table.key for table in board.tables}) == 3
    assert [len(table.rows) for table in board.tables] == [1, 3, 1]


def test_columns_are_the_groups_that_the_task_reports_and_no_differences() -> None:
    whole = load_card(RESULTS / "sts3k" / "hybrid.json")
    assert "adversarial gap" in whole.scores
    [table] = leaderboard([whole]).tables
    assert table.groups == ("all", "non-adversarial", "adversarial", "negatives")


def test_cards_of_one_model_are_told_apart_and_the_same_card_counts_once() -> None:
    again = replace(CARDS[0], settings={**CARDS[0].settings, "seed": 1})
    [table] = leaderboard([CARDS[0], again, CARDS[0]], names=["x", "y", "x"], resamples=0).tables
    assert sorted(row.name for row in table.rows) == ["good (x)", "good (y)"]
    [table] = leaderboard([CARDS[0], again], resamples=0).tables
    assert len({row.name for row in table.rows}) == 2


def test_cards_that_cannot_be_compared_are_shown_and_not_ranked() -> None:
    path = next(path for path in RESULTS.rglob("*.json") if "retrieval" in path.name)
    one = load_card(path)
    two = replace(
        one, model={**one.model, "name": "other"}, settings={**one.settings, "mode": "add"}
    )
    board = leaderboard([one, two])
    [table] = board.tables
    assert set(ranks(table, "all").values()) == {"–"}
    assert "different mode" in table.unranked
    assert "Nothing is ranked" in rank_note(board, table)
    with pytest.raises(InputError, match="no cards"):
        leaderboard([])


# What a card tells of its model

FREE = "Apache-2.0; parser weights CC BY-SA 4.0"
PIPELINES: list[tuple[dict[str, Any], tuple[str, str, str]]] = [
    ({"name": "hybrid"}, ("combiner", "embedded", FREE)),
    ({"name": "amr-smatch"}, ("AMR metric", "extra graphs", FREE)),
    (
        {"name": "role-encoder"},
        ("encoder", "embedded", "Apache-2.0; upper layers CC BY-SA 4.0"),
    ),
    ({"name": "mean-cn"}, ("composition", "embedded", "Apache-2.0")),
    ({"name": "mine", "encoder": "dct:k=2"}, ("composition", "–", "–")),
    ({"name": "levenshtein"}, ("string metric", "extra metrics", "Apache-2.0")),
    ({"name": "mean-cn", "vectors": "glove:w/g"}, ("composition", "vectors glove:g", "Apache-2.0")),
    ({"name": "m", "needs": "x", "licence": "MIT", "tokens": "y"}, ("string metric", "x", "MIT")),
    ({"name": "hybrid", "kind": "precomputed", "file": "h.txt"}, ("given similarities", "–", "–")),
    ({"name": "mine", "kind": "similarity"}, ("own code", "–", "–")),
]  # fmt: skip


@pytest.mark.parametrize(("model", "expected"), PIPELINES)
def test_what_a_card_lacks_is_looked_up(
    model: dict[str, Any], expected: tuple[str, str, str]
) -> None:
    made = card("good", model={"kind": "pipeline", **model})
    assert (kind(made), needs(made), known(made, "licence")) == expected


COMMANDS = [
    ({"name": "hybrid", "kind": "pipeline", "parser": "embedded"}, "--model hybrid"),
    (
        {"name": "amr-cn, mine", "kind": "pipeline", "parser": "penman:my graphs.txt"},
        "--model amr-cn --parser 'penman:my graphs.txt' --name 'amr-cn, mine'",
    ),
    (
        {"name": "mine", "kind": "pipeline", "vectors": "embedded", "encoder": "dct:k=2"},
        "--model dct:k=2 --name mine",
    ),
    (
        {"name": "verbnet-cn", "kind": "pipeline", "normalise": "total"},
        "--model verbnet-cn --normalise total",
    ),
]


@pytest.mark.parametrize(("model", "options"), COMMANDS)
def test_the_command_that_makes_a_card_again(model: dict[str, Any], options: str) -> None:
    found = command(card("good", model=model, task={"name": "stsb", "headline": "spearman"}))
    assert found.startswith(f"hybridsem evaluate stsb --data toy.csv {options} ")
    assert " --split test --resamples 50 -o " in found
    context = cli.make_context("hybridsem", shlex.split(found)[1:], resilient_parsing=True)
    assert context.command is cli


def test_settings_that_were_found_are_no_options() -> None:
    settings = {"seed": 4, "resamples": 10_000, "documents": "by sentences: best matches"}
    made = card(
        "good",
        model={"name": "hybrid", "kind": "pipeline"},
        task={"name": "sage-retrieval", "headline": "score"},
        data={**CARDS[0].data, "split": None},
        settings=settings | {"mode": "replace", "search": "BM25+ index", "rerank": 10},
    )
    options = "--model hybrid --mode replace --rerank 10 --seed 4"
    assert command(made) == (
        f"hybridsem evaluate sage-retrieval --data toy.csv {options} -o hybrid.json"
    )


# Published figures

PAPER = """
authors = "A. Author"
title = "On Toys"
venue = "J. Toys 1"
benchmark = "toy"
[[row]]
model = "Paper <b>model</b>"
setting = "all toys"
where = "Table 1"
all = 0.999
half = [0.50, 0.6]
difference = "other toys"
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "paper.toml"
    path.write_text(PAPER, encoding="utf-8")
    return path


def test_published_figures_stand_beside_and_are_not_ranked(paper: Path) -> None:
    [row] = read_published([paper, paper.parent])
    assert row.figures == {"all": (Decimal("0.999"),), "half": (Decimal("0.50"), Decimal("0.6"))}
    with_it, without = (leaderboard(CARDS, published=rows, resamples=50) for rows in ([row], []))
    assert ranks(with_it.tables[0], "all") == ranks(without.tables[0], "all")
    page = read_page(FILES["index.html"](with_it))
    assert page["toy-test", "Paper <b>model</b>"]["all"] == (".999", "–")
    assert page["toy-test", "Paper <b>model</b>"]["half"] == (".50–.6", "–")
    markdown = FILES["leaderboard.md"](with_it)
    assert "| – | *Paper \\<b\\>model\\</b\\>* | .999 | .50–.6 | – | *published* |" in markdown
    assert "other toys" in markdown


@pytest.mark.parametrize(
    "text",
    ["[", PAPER.replace("benchmark", "bench"), PAPER.replace("0.999", "'x'"), "title = 'x'\n"],
)
def test_a_broken_file_of_published_figures_is_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=r"broken\.toml"):
        read_published([path])
    with pytest.raises(InputError, match="nowhere"):
        read_published([tmp_path / "nowhere.toml"])


# Files


def read_page(text: str) -> dict[tuple[str, str], dict[str, tuple[str, str]]]:
    """The figure and the ranks of each group, by table and row."""
    found = {}
    for board, table in re.findall(
        r'<section class="hs-card board" id="(.*?)".*?(<table>.*?</table>)', text, re.S
    ):
        groups = re.findall(r'data-group="(.*?)"', table)
        for row, cells in re.findall(r'class="model" data-value="(.*?)">(.*?)</tr>', table, re.S):
            shown = re.findall(r'data-ranks="(.*?)".*?<b>(.*?)</b>', cells)
            figures = {unescape(name): one[::-1] for name, one in zip(groups, shown, strict=True)}
            found[board, unescape(row)] = figures
    return found


def made(cards: Sequence[Card], **options: Any) -> dict[str, str]:
    board = leaderboard(cards, **{"resamples": 50, **options})
    return {name: make(board) for name, make in FILES.items()}


def shown(value: float | None) -> str:
    return figure(value).replace("-", "−")


def test_csv_json_and_markdown_say_what_the_page_says() -> None:
    other = replace(CARDS[2], task={**CARDS[2].task, "name": "another"})
    files = made([*CARDS, other, card("good", -SCORES["good"], model={"name": "inverse"})])
    page = read_page(files["index.html"])
    assert len(page) == 5
    lines = list(csv.DictReader(files["leaderboard.csv"].splitlines()))
    assert len(lines) == sum(map(len, page.values()))
    for line in lines:
        text, places = page[f"{line['benchmark']}-test", line["model"]][line["group"]]
        assert text == shown(float(line["value"]))
        best, worst = line["best_rank"], line["worst_rank"]
        assert places == (best if best == worst else f"{best}–{worst}")
    plain = json.loads(files["leaderboard.json"])
    for table in plain["tables"]:
        for row in table["rows"]:
            for group, given in row["figures"].items():
                text, places = page[f"{table['task']}-test", row["name"]][group]
                first, last = given["ranks"]
                assert text == shown(given["value"])
                assert places == (f"{first}" if first == last else f"{first}–{last}")
                assert (
                    f"{shown(given['value'])} [{shown(given['low'])}, {shown(given['high'])}]"
                    in files["leaderboard.md"]
                )
            first, last = row["figures"]["all"]["ranks"]
            range_ = f"{first}" if first == last else f"{first}–{last}"
            assert f"| {range_} | {row['name']} |" in files["leaderboard.md"]


def test_the_same_cards_give_the_same_bytes_in_any_order() -> None:
    assert made(CARDS) == made(CARDS[::-1])


def test_the_page_loads_nothing_and_its_policy_is_its_own() -> None:
    import base64
    import hashlib

    text = made(CARDS)["index.html"]
    for tag in re.findall(r"<[a-zA-Z][^>]*>", text):
        assert not re.match(r"<(link|img|iframe|object|embed|base|source)\b", tag)
        assert not re.search(r"\s(src|srcset|style|action)=|\shref=\"[^#]", tag), tag
    assert "url(" not in text
    assert "@import" not in text
    [policy] = re.findall(r"default-src 'none'; [^\"]*", text)
    for kind_ in ("style", "script"):
        [inside] = re.findall(rf"<{kind_}>(.*?)</{kind_}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{kind_}-src 'sha256-{digest}'" in policy


# Reading and writing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Cards in a folder, one of them deeper."""
    path = tmp_path / "cards"
    (path / "toy").mkdir(parents=True)
    for place, one in enumerate(CARDS):
        one.save(path / ("toy" if place else "") / f"{one.name}.json")
    return path


def test_folders_are_read_to_the_ground_and_a_board_in_them_is_passed_over(
    folder: Path, run: Run
) -> None:
    for _ in range(2):
        assert run("leaderboard cards -o cards --resamples 50").code == 0
    cards, names = read_cards([folder])
    assert sorted(names) == sorted(SCORES)
    assert len(cards) == 3


# In a browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of the committed cards, a hostile one, and two of the made-up benchmark that the tests
    rank.
    """
    cards, names = read_cards([RESULTS])
    hostile = card("good", model={"name": HOSTILE, "licence": HOSTILE, "kind": "pipeline"})
    more = [hostile, *CARDS, card("poor", model={"name": "encoder", "kind": "encoder"})]
    board = leaderboard(
        [*cards, *more],
        names=[*names, *[""] * len(more)],
        published=read_published([ROOT / "docs" / "published"]),
        resamples=50,
    )
    folder = tmp_path_factory.mktemp("site")
    write(board, folder)
    return folder / "index.html"


TOY = "#toy-test > .hs-scroll table"
NAMES_SHOWN = (
    f"[...document.querySelectorAll('{TOY} tbody tr:not([hidden]) th')]"
    ".map(cell => cell.dataset.value)"
)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_the_width_of_a_phone(window: Browser, tmp_path: Path, width: int) -> None:
    cards, names = read_cards([RESULTS / "sts3k"])
    published = read_published([ROOT / "docs" / "published"])
    write(leaderboard(cards, names=names, published=published, resamples=10), tmp_path)
    assert window.untidy(tmp_path / "index.html", width) == []


def test_a_click_sorts_and_ranks_are_those_of_the_column(window: Browser, site: Path) -> None:
    window.requests.clear()
    window.errors.clear()
    window.open(site)
    assert set(window.requests) == {site.as_uri()}
    assert window.errors == []
    head = f"document.querySelector('{TOY} [data-group=half]').getAttribute('aria-sort')"
    cells = f"[...document.querySelectorAll('{TOY} tbody tr')].map(r => %s)"
    values = cells % "+r.cells[3].dataset.value"
    window.click(f"{TOY} [data-group=half] button")
    assert window.run(head) == "descending"
    falling = window.run(values)
    assert falling == sorted(falling, reverse=True)
    assert len(set(falling)) > 1
    own_ranks = window.run(cells % "r.cells[3].dataset.ranks")
    assert window.run(cells % "r.cells[0].innerText") == own_ranks
    assert window.run(f"document.querySelector('{TOY} .rank small').innerText") == "in half"
    window.click(f"{TOY} [data-group=half] button")
    assert window.run(head) == "ascending"
    assert window.run(values) == sorted(falling)


def test_filters_hide_rows_and_empty_tables(window: Browser, site: Path) -> None:
    window.open(site)
    rows = "document.querySelectorAll('.board > .hs-scroll tbody tr')"
    whole = window.run(f"{rows}.length")
    visible_rows = f"[...{rows}].filter(row => row.offsetParent !== null)"
    window.click("#filters input[value=encoder]")
    assert window.run(f"{visible_rows}.every(row => row.dataset.kind === 'encoder')")
    count = window.run(f"{visible_rows}.length")
    assert 0 < count < whole
    shown = window.run("document.querySelector('#count').textContent")
    assert shown.startswith(f"{count} of {whole} rows")
    assert window.run(NAMES_SHOWN) == ["encoder"]
    for field, chosen, test in (
        ("licence", "Apache-2.0", "every(row => row.dataset.licence === 'Apache-2.0')"),
        ("name", "AS GOOD", "length === 1"),
    ):
        window.click("#filters button[type=reset]")
        window.wait_for(f"{visible_rows}.length === {whole}")
        window.run(
            f"{{ const field = document.querySelector('#{field}'); field.value = '{chosen}';"
            "field.dispatchEvent(new Event('input', {bubbles: true})) }"
        )
        assert window.run(f"{visible_rows}.{test}")
