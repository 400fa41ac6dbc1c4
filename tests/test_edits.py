"""What two sentences differ in is data, which every reader takes fields of; reasons are true."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from hybridsem import Pipeline
from hybridsem.combiners.comparison.differences import COLLECTORS
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.triples import minimal_pairs, packaged_minimal_pairs
from hybridsem.edits import Kind, Words
from hybridsem.judge import Label

PACKAGE = Path(__file__).parents[1] / "hybridsem"
READERS = ("combiners/hybrid.py", "explanations.py")
CUTTING = {"partition", "rpartition", "split", "rsplit", "splitlines"}
QUOTED = re.compile(r'(?<![^ (])"(?P<text>.*?)"(?=[ ,.)]|$)')
WRITTEN_OUT = {"not", "ca", "wo", "sha"}
"""Tokens of contractions, that the texts have in another form."""


def paths() -> list[Path]:
    """The modules beside ``render`` that read edits, or what was found before them."""
    rooms = [
        *PACKAGE.glob("judge/*.py"),
        *PACKAGE.glob("combiners/comparison/*.py"),
        PACKAGE / "search/duplicates.py",
    ]
    return [*(PACKAGE / name for name in READERS), *rooms]


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.name)
def test_nobody_reads_text_that_was_made_of_edits(path: Path) -> None:
    """Outside ``render`` what reads edits has no regular expression, and cuts nothing."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node for node in tree.body if isinstance(node, ast.Import) and "re" in names(node)]
    for node in tree.body:
        if "edit" in ast.unparse(node):
            calls = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
            assert not [
                ast.unparse(call)
                for call in calls
                if isinstance(call, ast.Attribute) and call.attr in CUTTING
            ]


def names(node: ast.Import) -> list[str]:
    return [alias.name for alias in node.names]


def test_an_edit_knows_its_tokens(nlp: Pipeline) -> None:
    found = nlp.explain("Ann flew from Paris.", "Ann flew to Paris.")
    data = json.loads(json.dumps(found.to_dict()))
    (line,) = (line for line in data["matches"] if line["term"] == "preposition opposed")
    (edit,) = line["edits"]
    assert (edit["kind"], edit["before"]["marker"]) == ("preposition opposed", "from")
    assert found.structure1 is not None
    assert found.structure1.tree is not None
    assert [found.structure1.tree[at].text for at in edit["before"]["tokens"]] == ["Paris"]
    assert found.matches[1].edits[0].inverted.after == Words((3,), marker="from", marks=(2,))


def test_every_collector_and_kind_is_declared_once() -> None:
    assert len(set(COLLECTORS)) == len(COLLECTORS)
    assert len({kind.value for kind in Kind}) == len(Kind)


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return Pipeline()


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    """Every seventh of the minimal pairs that are for development, with both partners."""
    items = minimal_pairs(packaged_minimal_pairs(), Settings(options={"part": "development"})).items
    found = []
    for item in items[::7]:
        found += [(item.sentence, item.paraphrase), (item.sentence, item.alteration)]
    return found


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def test_reasons_are_sentences_that_quote_the_texts(
    nlp: Pipeline, pairs: list[tuple[str, str]]
) -> None:
    judged = nlp.judge(pairs)
    assert sum(bool(one.reasons) for one in judged) > 0.9 * len(judged)
    for one in judged:
        first, second = words_of(one.sentence1), words_of(one.sentence2)
        for reason in one.reasons:
            quoted = [words_of(match["text"]) - WRITTEN_OUT for match in QUOTED.finditer(reason)]
            assert reason.endswith(".")
            assert reason.count('"') == 2 * len(quoted), reason
            assert set().union(*quoted) <= first | second, (one.sentence1, one.sentence2, reason)
            if reason.startswith("Only sentence 1 says") and "n't" not in one.sentence1:
                assert quoted[0] <= first, reason
                assert not quoted[0] <= second, reason


def test_the_same_words_are_the_same_words(nlp: Pipeline, pairs: list[tuple[str, str]]) -> None:
    for one in nlp.judge(pairs):
        if "The words are the same." in one.reasons:
            first, second = (
                sorted(re.findall(r"[\w']+", text.lower()))
                for text in (one.sentence1, one.sentence2)
            )
            assert first == second
            assert one.best is Label.SAME


@pytest.mark.parametrize(
    ("one", "two", "not_said"),
    [
        ("A red car passed a blue house.", "A blue car passed a red house.", "changed places"),
        ("He flew from Paris to Rome.", "He flew from Rome to Paris.", "Location"),
        ("I lent Sue a book.", "Sue borrowed a book from me.", "The words are the same"),
    ],
)
def test_reasons_that_were_false(nlp: Pipeline, one: str, two: str, not_said: str) -> None:
    found = nlp.judge(one, two)
    assert found.reasons
    assert not any(not_said in reason for reason in found.reasons)
    assert found.label != Label.UNRELATED
