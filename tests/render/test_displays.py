"""What notebooks show of parses, trees, graphs and tables."""

from collections.abc import Callable
from typing import Any

import pytest
from support.commands import python
from support.trees import tree

from hybridsem import render
from hybridsem._utils import displays
from hybridsem.amr import AmrGraph
from hybridsem.structures import (
    DependencyTree,
    Filler,
    Frame,
    ParseFailure,
    Parses,
    RoleStructure,
    Token,
)

HOSTILE = "<script>alert(1)</script>\u202e"


def chain(words: list[str], heads: list[int], labels: list[str] | None = None) -> DependencyTree:
    tokens, at = [], 0
    for number, (word, head) in enumerate(zip(words, heads, strict=True)):
        label = "root" if head < 0 else (labels or ["dep"] * len(words))[number]
        tokens.append(Token(word, word, "NOUN", head, label, at, at + len(word)))
        at += len(word) + 1
    return DependencyTree(" ".join(words), tuple(tokens))


def test_a_tree_is_a_table_of_words_with_their_governors() -> None:
    shown = chain(["a", "big", "dog", "sleeps"], [2, 2, 3, -1])._repr_html_()
    assert '<tr><th scope="row">0</th><td>a</td><td>NOUN</td><td>dep</td><td>dog</td></tr>' in shown
    assert "<td>sleeps</td><td>NOUN</td><td>root</td><td></td>" in shown
    assert "<caption>Dependencies</caption>" in DependencyTree("", ())._repr_html_()


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
    assert '<tr class="hs-r1"><th scope="row">0</th><td>dogs</td>' in shown


def test_a_list_of_parses_is_shown_with_its_failures_and_what_is_left_out() -> None:
    parses = Parses([structure(), ParseFailure("x", "no verb"), *[structure()] * 30])
    shown = parses._repr_html_()
    assert shown.count("<caption>Dependencies") == 19
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
        lambda: render.figures_as_html(HOSTILE, [HOSTILE, "b"], [[HOSTILE, 1]], [HOSTILE]),
        lambda: render.facts_as_html(HOSTILE, {HOSTILE: HOSTILE}),
    ],
)
def test_displays_escape_what_they_show(shown: Callable[[], Any]) -> None:
    given = shown()
    fragment = given if isinstance(given, str) else given._repr_html_()
    assert "<script" not in fragment
    assert "&lt;script&gt;" in fragment
    assert "\u202e" not in fragment


def test_displays_are_registered_when_the_first_is_used() -> None:
    code = """
import sys
from hybridsem.structures import Filler, Frame, RoleStructure
sleep = RoleStructure("Dogs sleep.", (Frame("sleep", {"Verb": Filler("sleep", ())}),))
assert "hybridsem.render" not in sys.modules
print(sleep)
assert "hybridsem.render" in sys.modules
"""
    assert python("-c", code).splitlines() == ["Dogs sleep.", "  sleep", "    Verb  sleep"]


def test_without_a_registered_display_the_repr_is_shown() -> None:
    assert displays.as_text((1, 2)) == displays.as_html((1, 2)) == "(1, 2)"
