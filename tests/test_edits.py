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
from hybridsem.datasets.triples import Triple, minimal_pairs, packaged_minimal_pairs
from hybridsem.edits import Kind, Words
from hybridsem.judge import Label
from hybridsem.judge.reasons import PARTICIPANTS

PACKAGE = Path(__file__).parents[1] / "hybridsem"
READERS = ("combiners/hybrid.py", "combiners/comparison/differences.py", "explanations.py")
CUTTING = {"partition", "rpartition", "split", "rsplit", "splitlines"}
TOLD = re.compile(
    r"only sentence \d (?:says|is a question)|the same but for|the same (?:content )?words|"
    r"(\w+) and (\w+) changed places|in another order| and |say the same from either side|"
    r"more specific than"
)
"""The words of reasons that are none of the texts."""


def paths() -> list[Path]:
    """The modules beside ``render`` that read edits, or what was found before them."""
    rooms = [*PACKAGE.glob("judge/*.py"), PACKAGE / "search/duplicates.py"]
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
    assert found.matches[1].edits[0].turned.after == Words((3,), marker="from", marks=(2,))


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
        assert isinstance(item, Triple)
        found += [(item.sentence, item.paraphrase), (item.sentence, item.alteration)]
    return found


def test_reasons_quote_the_texts_and_name_roles_alone(
    nlp: Pipeline, pairs: list[tuple[str, str]]
) -> None:
    judged = nlp.judge_all(pairs)
    assert sum(bool(one.reasons) for one in judged) > 0.9 * len(judged)
    roles = set()
    for one in judged:
        said = set(re.findall(r"\w+", f"{one.sentence1} {one.sentence2}".lower()))
        # "won't" and "n't": tokens that the texts have, one of them written out.
        said |= {"not", "nothing", "t", "ca", "wo", "sha"}
        for reason in one.reasons:
            roles |= {role for match in TOLD.finditer(reason) for role in match.groups() if role}
            rest = set(re.findall(r"\w+", TOLD.sub(" ", reason).lower()))
            assert rest <= said, (one.sentence1, one.sentence2, reason)
            if "only sentence 1 says" in reason:
                assert not rest <= set(re.findall(r"\w+", one.sentence2.lower())), reason
    assert roles <= set(map(str, PARTICIPANTS))
    assert roles


def test_the_same_words_are_the_same_words(nlp: Pipeline, pairs: list[tuple[str, str]]) -> None:
    for one in nlp.judge_all(pairs):
        if one.reasons == ("the same words",):
            first, second = (
                sorted(re.findall(r"[\w']+", text.lower()))
                for text in (one.sentence1, one.sentence2)
            )
            assert first == second


@pytest.mark.parametrize(
    ("one", "two", "not_said"),
    [
        ("A red car passed a blue house.", "A blue car passed a red house.", "changed places"),
        ("He flew from Paris to Rome.", "He flew from Rome to Paris.", "Location"),
        ("I lent Sue a book.", "Sue borrowed a book from me.", "the same words"),
    ],
)
def test_reasons_that_were_false(nlp: Pipeline, one: str, two: str, not_said: str) -> None:
    found = nlp.judge(one, two)
    assert found.reasons
    assert not any(not_said in reason for reason in found.reasons)
    assert found.label != Label.UNRELATED
