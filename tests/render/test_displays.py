"""What notebooks show of parses, trees, graphs and tables."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from support.trees import tree

from hybridsem import render
from hybridsem.amr import AmrGraph
from hybridsem.render.trees import MAX_TOKENS, tree_as_svg
from hybridsem.structures import (
    DependencyTree,
    Filler,
    Frame,
    ParseFailure,
    Parses,
    RoleStructure,
    Token,
)

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script>\u202e"


def chain(words: list[str], heads: list[int], labels: list[str] | None = None) -> DependencyTree:
    tokens, at = [], 0
    for number, (word, head) in enumerate(zip(words, heads, strict=True)):
        label = "root" if head < 0 else (labels or ["dep"] * len(words))[number]
        tokens.append(Token(word, word, "NOUN", head, label, at, at + len(word)))
        at += len(word) + 1
    return DependencyTree(" ".join(words), tuple(tokens))


def svg_of(text: str) -> ElementTree.Element:
    """The picture in a fragment, which must be well-formed XML."""
    found = re.search(r"<svg.*?</svg>", text, re.DOTALL)
    assert found is not None
    return ElementTree.fromstring(found[0])


def texts(svg: ElementTree.Element, kind: str) -> list[str]:
    return [text.text or "" for text in svg.iter(f"{SVG}text") if text.get("class") == kind]


def test_a_tree_has_an_arc_for_every_relation_and_one_for_the_root() -> None:
    svg = svg_of(tree_as_svg(chain(["a", "big", "dog", "sleeps"], [2, 2, 3, -1])))
    assert texts(svg, "hs-word") == ["a", "big", "dog", "sleeps"]
    assert sorted(texts(svg, "hs-edge")) == ["dep", "dep", "dep", "root"]
    assert texts(svg, "hs-aside") == ["NOUN"] * 4
    assert "a is dep of dog" in (svg.findtext(f"{SVG}title") or "")


def test_arcs_of_a_projective_tree_do_not_cross() -> None:
    """None stands as high as another that overlaps it."""
    svg = svg_of(tree_as_svg(chain(list("abcdefg"), [1, 6, 1, 4, 2, 6, -1])))
    spans = []
    for path in svg.iter(f"{SVG}path"):
        if path.get("class") == "hs-arc" and "H" in (d := path.get("d", "")):
            numbers = [float(number) for number in re.findall(r"[\d.]+", d)]
            spans.append((numbers[0], numbers[10], numbers[6]))
    assert len(spans) == 6
    for (left1, right1, top1), (left2, right2, top2) in combinations(spans, 2):
        if left1 < right2 and left2 < right1:
            assert top1 != top2
            inner, outer = sorted([(right1 - left1, -top1), (right2 - left2, -top2)])
            assert inner[1] < outer[1], "the wider arc stands higher"


@pytest.mark.parametrize("words", [0, MAX_TOKENS + 1])
def test_a_tree_that_cannot_be_drawn_says_so(words: int) -> None:
    long = chain(["w"] * words, ([-1] + [0] * words)[:words])
    assert tree_as_svg(long) == ""
    assert "Too long to be drawn" in long._repr_html_()


def test_a_graph_is_shown_in_its_notation() -> None:
    graph = AmrGraph.from_penman("(b / bark-01 :ARG0 (d / dog) :polarity -)")
    assert "<pre>(b / bark-01" in graph._repr_html_()


def structure() -> RoleStructure:
    parsed = tree("dogs|dog/NOUN/nsubj/2 sleep/VERB/root/0")
    frame = Frame(
        "sleep",
        {"Verb": Filler("sleep", ("sleep",), (1,)), "Agent": Filler("dogs", ("dog",), (0,))},
    )
    return RoleStructure("dogs sleep", (frame,), tree=parsed)


def test_roles_have_one_colour_in_the_table_and_the_tree() -> None:
    shown = structure()._repr_html_()
    assert '<tr class="hs-r1"><th scope="row">Agent</th>' in shown
    assert re.search(r'<g class="hs-r1"><text class="hs-word"[^>]*>dogs<', shown)


def test_a_list_of_parses_is_shown_with_its_failures_and_what_is_left_out() -> None:
    parses = Parses([structure(), ParseFailure("x", "no verb"), *[structure()] * 30])
    shown = parses._repr_html_()
    assert shown.count("<svg") == 19
    assert "not parsed: no verb" in shown
    assert "… and 12 more sentences." in shown
    assert isinstance(parses, list)
    assert str(Parses(parses[:2])).count("\n\n") == 1


@pytest.mark.parametrize(
    "shown",
    [
        lambda: RoleStructure(HOSTILE, (Frame(HOSTILE, {HOSTILE: Filler(HOSTILE, ())}),)),
        lambda: chain([HOSTILE, "x"], [1, -1], [HOSTILE, "root"]),
        lambda: Parses([ParseFailure(HOSTILE, HOSTILE)]),
        lambda: AmrGraph.from_penman('(b / bark-01 :op1 "<script>alert(1)</script>")', HOSTILE),
    ],
)
def test_displays_escape_what_they_show(shown) -> None:  # type: ignore[no-untyped-def]
    fragment = shown()._repr_html_()
    assert "<script" not in fragment
    assert "&lt;script&gt;" in fragment
    assert "\u202e" not in fragment


def test_tables_of_figures_escape_what_they_show() -> None:
    figures = render.figures_as_html(HOSTILE, [HOSTILE, "b"], [[HOSTILE, 1]], [HOSTILE])
    facts = render.facts_as_html(HOSTILE, {HOSTILE: HOSTILE})
    for fragment in (figures, facts):
        assert "<script" not in fragment
        assert "&lt;script&gt;" in fragment
        assert "\u202e" not in fragment
