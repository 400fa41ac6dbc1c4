"""Labelled pairs made by rule: what each kind makes and leaves alone, and what holds for all."""

import json
from collections import Counter
from pathlib import Path

import pytest
from support.blocks import cases

pytest.importorskip("lemminflect")

from benchmarks.command import run
from hybridsem.english.lexicon import lexicon
from hybridsem.evaluation.perturbations import perturbation
from hybridsem.judge.labels import LABELS
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from models.pairs import __main__ as making
from models.pairs import phrases
from models.pairs.__main__ import OF_PARTS, OF_WHOLE, pairs, pairs_of
from models.pairs.kinds import KINDS, Pair

SEEDS = 12
"""What is drawn for a sentence goes by the seed; that many are tried."""
OTHER = "we left"
TEXTS = (
    "The nurse opened the window.",
    "The dogs chased the cat in the garden.",
    "Mary wrote a long letter to her brother.",
    "He bought apples and pears.",
)


def made(parser: EmbeddedTrees, kind: str, text: str) -> list[Pair]:
    """The pairs of a kind that any seed makes of a sentence, all with the label of the kind."""
    (tree,) = parser.trees([text])
    found = (pair for seed in range(SEEDS) for pair in pairs_of(tree, seed, OTHER))
    some = [pair for pair in found if pair.kind == kind]
    return [pair if pair.label == KINDS[kind].label else pair.exchanged() for pair in some]


CASES = cases(__file__, "pairs.txt")


@pytest.mark.slow
@pytest.mark.parametrize("lines", CASES)
def test_what_a_kind_makes(
    parser: EmbeddedTrees, lines: list[str], request: pytest.FixtureRequest
) -> None:
    kind = request.node.callspec.id
    one_way = KINDS[kind].label in ("entails", "entailed")
    for line in lines:
        if line.startswith("- "):
            assert not made(parser, kind, line[2:]), line
            continue
        cells = line.split(" | ")
        wanted = cells[-2], cells[-1]
        found = [one for text in cells[:2] for one in made(parser, kind, text)]
        pairs = {(one.sentence1, one.sentence2) for one in found}
        pairs |= set() if one_way else {(second, first) for first, second in pairs}
        assert wanted in pairs, (line, found)
        assert {one.label for one in found} == {KINDS[kind].label}


def test_every_kind_has_two_cases_of_each() -> None:
    counts = {case.id: Counter(line[:2] == "- " for line in case.values[0]) for case in CASES}
    assert set(counts) == set(KINDS)
    assert all(min(count[True], count[False]) >= 2 for count in counts.values())
    assert {kind.edit for kind in KINDS.values()} == {*OF_WHOLE, *OF_PARTS}
    assert {kind.label for kind in KINDS.values()} <= set(map(str, LABELS))
    assert all(0 <= kind.similarity <= 1 for kind in KINDS.values())


def test_exchanged_sentences_have_exchanged_labels() -> None:
    pair = Pair("entails", "A dog sat.", "An animal sat.", "kind", "ewt", 0.9, "ewt-1")
    other = pair.exchanged()
    assert (other.label, other.sentence1, other.sentence2) == ("entailed", *reversed(TWO))
    assert other.exchanged() == pair
    assert Pair("differs", *TWO, "if", "ewt", 0.5, "ewt-1").exchanged().label == "differs"


TWO = ("A dog sat.", "An animal sat.")


def test_pairs_go_by_seed_and_text_alone(parser: EmbeddedTrees) -> None:
    trees = [("here", tree) for tree in parser.trees(list(TEXTS))]
    found = list(pairs(trees, 1))
    assert found == list(pairs(trees, 1))
    assert found != list(pairs(trees, 2))
    alone = [one for one in pairs(trees[:1], 1) if one.kind not in ("and", "or")]
    assert alone == [
        one for one in found if one.base == alone[0].base and one.kind not in ("and", "or")
    ]
    assert len({frozenset((one.sentence1, one.sentence2)) for one in found}) == len(found)
    assert max(Counter(one.kind for one in pairs(trees, 1, most=2)).values()) == 2
    labels = Counter(one.label for one in found if KINDS[one.kind].label == "entails")
    assert set(labels) == {"entails", "entailed"}  # the order does not give it away


def test_a_negation_is_the_one_that_perturbations_know(parser: EmbeddedTrees) -> None:
    toggled = perturbation("negation")
    for text in ("The soup was very hot.", "She is reading a book.", "The plan is possible."):
        negations = {one.sentence2 for one in made(parser, "negation", text)} - {text}
        negations |= {one.sentence1 for one in made(parser, "negation", text)} - {text}
        assert toggled(text) in negations
        assert {toggled(one) for one in negations} == {text}


def test_kinds_of_things_are_so_in_the_lexicon() -> None:
    words = lexicon()
    for word, general in phrases.KINDS_OF.items():
        assert words.kind_of(word, "NOUN", general, "NOUN") > 0, (word, general)


def test_the_command(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    parser: EmbeddedTrees,
) -> None:
    trees = [("here", tree) for tree in parser.trees(list(TEXTS))]
    monkeypatch.setattr(making, "trees", lambda data, parser, unseen: iter(trees))
    monkeypatch.setattr(making, "barred", lambda data: {"he bought apples"})
    run(making.main, ["--to", str(tmp_path / "pairs.jsonl"), "--seed", "3"])
    said = capsys.readouterr().out
    rows = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text("utf-8").splitlines()]
    assert f"{len(rows)} pairs of" in said
    assert "from 4 different sentences" in said
    assert "He bought apples." not in {
        row[side] for row in rows for side in ("sentence1", "sentence2")
    }
