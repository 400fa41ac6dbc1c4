"""Measuring semantic roles: predicates, arguments by head and span, general roles."""

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.role_agreement import Agreement, aligned, compare
from hybridsem.structures import Argument, DependencyTree, Predicate, Role, Token

TEXT = "The dog was chased by a cat"
ROWS = (
    *("The DET 1 det", "dog NOUN 3 nsubj:pass", "was AUX 3 aux:pass", "chased VERB -1 root"),
    *("by ADP 6 case", "a DET 6 det", "cat NOUN 3 obl:agent"),
)


def tree(*predicates: Predicate) -> DependencyTree:
    tokens, at = [], 0
    for row in ROWS:
        form, pos, head, relation = row.split()
        tokens.append(Token(form, form.lower(), pos, int(head), relation, at, at + len(form)))
        at += len(form) + 1
    return DependencyTree(TEXT, tuple(tokens), predicates=predicates)


DOG = Argument("ARG1", (0, 1), 1, ("patient",), Role.PATIENT)
CAT = Argument("ARG0", (4, 5, 6), 6, ("agent",), Role.AGENT)
CHASE = Predicate(3, "chase", "chase.01", (DOG, CAT))
GOLD = tree(CHASE)


def chase(*arguments: Argument, roleset: str = "chase.01") -> list[Predicate]:
    return [Predicate(3, "chase", roleset, arguments)]


def counts(agreement: Agreement) -> tuple[int, int, int]:
    return agreement.right, agreement.predicted, agreement.gold


def test_the_gold_annotation_is_all_right() -> None:
    found = compare([GOLD], [GOLD.predicates or ()], resamples=50)
    for name, agreement in found.overall.items():
        assert (agreement.precision, agreement.recall, agreement.f1) == (1, 1, 1), name
        assert (agreement.low, agreement.high) == (1, 1)
    assert counts(found.by_role["roles"]["Patient"]) == (1, 1, 1)
    assert counts(found.by_class["heads"]["verb"]) == (2, 2, 2)


@pytest.mark.parametrize(
    ("arguments", "heads", "spans", "roles", "bare"),
    [
        ((), (0, 0, 2), (0, 0, 2), (0, 0, 2), (0, 0, 2)),
        ((DOG,), (1, 1, 2), (1, 1, 2), (1, 1, 2), (1, 1, 2)),
        # a wrong label with the right role, and the other way round
        ((DOG, replace(CAT, label="ARG2")), (1, 2, 2), (1, 2, 2), (2, 2, 2), (2, 2, 2)),
        ((DOG, replace(CAT, role=Role.THEME)), (2, 2, 2), (2, 2, 2), (1, 2, 2), (2, 2, 2)),
        # the right head in too short a span; a head that is annotated nowhere
        ((DOG, replace(CAT, tokens=(5, 6))), (2, 2, 2), (1, 2, 2), (2, 2, 2), (2, 2, 2)),
        ((DOG, replace(CAT, tokens=(2,), head=2)), (1, 2, 2), (1, 2, 2), (1, 2, 2), (1, 2, 2)),
        # one that is said twice is wrong the second time; the predicate is no argument of its own
        ((DOG, DOG), (1, 2, 2), (1, 2, 2), (1, 1, 2), (1, 1, 2)),
        ((DOG, CAT, Argument("ARG2", (3,), 3, (), Role.THEME)), *[(2, 2, 2)] * 4),
        # a part of the predicate is no argument
        ((DOG, CAT, Argument("C-V", (2,), 2)), *[(2, 2, 2)] * 4),
    ],
)
def test_arguments(arguments: Any, heads: Any, spans: Any, roles: Any, bare: Any) -> None:
    overall = compare([GOLD], [chase(*arguments)]).overall
    expected = {"heads": heads, "spans": spans, "roles": roles, "roles unlabelled": bare}
    assert {name: counts(overall[name]) for name in expected} == expected


def test_an_argument_without_a_general_role_is_neither_right_nor_wrong() -> None:
    gold = tree(replace(CHASE, arguments=(DOG, replace(CAT, verbnet=()))))
    for role in (Role.AGENT, Role.THEME, None):
        overall = compare([gold], [chase(DOG, replace(CAT, role=role))]).overall
        assert counts(overall["roles"]) == (1, 1, 1)
        assert counts(overall["heads"]) == (2, 2, 2)


def test_other_words_are_aligned_by_their_characters() -> None:
    tokens = GOLD.tokens
    # One word for two.
    joined = replace(tokens[0], text="The dog", pos="NOUN", head=2, end=tokens[1].end)
    others = (replace(token, head=max(token.head - 1, -1)) for token in tokens[2:])
    theirs = DependencyTree(TEXT, (joined, *others))
    agent = Argument("ARG0", (3, 4, 5), 5, ("agent",), Role.AGENT)
    arguments = replace(DOG, tokens=(0,), head=0), agent
    predicate = Predicate(2, "chase", "chase.01", arguments)
    (moved,) = aligned([predicate], theirs, GOLD)
    assert moved.index == 3
    assert moved.arguments[1] == CAT
    assert moved.arguments[0].head < 0
    assert counts(compare([GOLD], [[moved]]).overall["heads"]) == (1, 2, 2)


def test_predicates_and_rolesets() -> None:
    other = Predicate(1, "dog", "dog.01", (Argument("ARG0", (6,), 6, (), Role.AGENT),))
    found = [*chase(DOG, CAT, roleset="chase.02"), other]
    given, own = (compare([GOLD], [found], spurious=spurious).overall for spurious in (False, True))
    assert counts(given["predicates"]) == counts(own["predicates"]) == (1, 2, 1)
    assert counts(given["rolesets"]) == (0, 1, 1)
    assert (counts(given["roles"]), counts(own["roles"])) == ((2, 2, 2), (2, 3, 2))
    missed = compare([GOLD], [[]]).overall
    assert counts(missed["predicates"]) == (0, 0, 1)
    assert counts(missed["heads"]) == (0, 0, 2)
    assert missed["heads"].precision is None
