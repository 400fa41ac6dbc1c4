"""Pictures of result cards: what is drawn, that the same cards give the same bytes, and what cannot
be drawn.
"""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.cards import toy_card

from hybridsem.errors import InputError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.report.plots import KINDS, UNDATED, plot, save
from hybridsem.evaluation.statistics.rating_correlations import correlations

N = 60
RANDOM = np.random.default_rng(0)
GOLD = RANDOM.random(N).round(3)
GROUPS = {"non-adversarial": tuple(range(30)), "adversarial": tuple(range(30, 60))}


def card(name: str, noise: float, **changes: Any) -> Card:
    values = GOLD + noise * RANDOM.normal(size=N)
    own = {"task": {"name": "sts3k", "headline": "spearman"}}
    return dataclasses.replace(toy_card(name, values, GOLD, GROUPS, 100, **own), **changes)


CARDS = [card("good", 0.1), card("poor", 1.0)]


def texts(panel: Any) -> list[str]:
    return [label.get_text() for label in (*panel.get_yticklabels(), *panel.texts)]


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("layout", UNDATED)
def test_the_same_cards_give_the_same_bytes(kind: str, layout: str, tmp_path: Path) -> None:
    written = []
    for attempt in ("one", "two"):
        save(plot(CARDS, kind), tmp_path / f"{attempt}.{layout}")
        written.append((tmp_path / f"{attempt}.{layout}").read_bytes())
    assert written[0] == written[1]
    assert written[0].startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[layout])
    assert len(list(tmp_path.iterdir())) == 2  # nothing half-written is left


def test_bars_have_a_panel_a_group_and_the_best_model_on_top() -> None:
    panels = plot(CARDS).axes
    assert [panel.get_title() for panel in panels] == ["all", "non-adversarial", "adversarial"]
    first = panels[0]
    assert [label.get_text() for label in first.get_yticklabels()] == ["poor", "good"]
    value = CARDS[0].scores["all"]["spearman"].value
    assert [bar.get_width() for bar in first.patches] == pytest.approx(
        [CARDS[1].scores["all"]["spearman"].value, value]
    )
    assert f"{value:.3f}".lstrip("0") in texts(first)
    [panel] = plot(CARDS, measure="kendall", groups=["adversarial"]).axes
    assert panel.get_xlabel() == "Kendall's tau-b"


def test_a_figure_that_is_undefined_is_said_and_not_drawn() -> None:
    flat = card("flat", 0, scores={"all": correlations(np.zeros(N), GOLD)}, groups={})
    [panel, *_] = plot([CARDS[0], flat]).axes
    assert " undefined" in texts(panel)
    assert len(panel.patches) == 1
    empty = {group: correlations(np.zeros(N), GOLD) for group in GROUPS}
    with pytest.raises(InputError, match="gap of 'flat' is undefined"):
        plot([dataclasses.replace(flat, scores=empty)], "gap")


def test_the_gap_is_the_difference_of_the_two_groups() -> None:
    [panel] = plot(CARDS, "gap").axes
    for one in CARDS:
        groups = [one.scores[group]["spearman"].value or 0 for group in GROUPS]
        assert f"{groups[0] - groups[1]:.3f}".replace("0.", ".", 1) in texts(panel)


def test_what_cannot_be_drawn_is_named() -> None:
    other = card("b", 1, data=dict(CARDS[0].data) | {"sha256": "cd" * 32})
    sick = card("b", 1, task={"name": "sick", "headline": "spearman"})
    for cards, kind, message in (
        ([], "bars", "no cards"),
        (CARDS, "pie", "unknown kind of picture, got 'pie'"),
        ([CARDS[0], other], "bars", "different data"),
        ([CARDS[0], sick], "gap", "cards of sick, sts3k"),
    ):
        with pytest.raises(InputError, match=message):
            plot(cards, kind)
