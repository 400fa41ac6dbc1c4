"""Roles from a labeller's predicates and the tables together: what holds for all;
``constructions.txt`` has constructions.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.trees import any_tree, labelled, roles, tree

from hybridsem import Pipeline
from hybridsem.errors import InputError
from hybridsem.parsers.trees.conllu import format_conllu, read_conllu
from hybridsem.parsers.verbnet import rules as verbnet
from hybridsem.render import parsed_as_text
from hybridsem.structures import Argument, DependencyTree, Frame, Predicate, Role

SNAGGED = "The/DET/det/2 sleeve/NOUN/nsubj/3 snagged|snag/VERB/root/0"


@pytest.mark.parametrize(
    ("verbnet_roles", "role", "kept"),
    [
        (("patient",), Role.PATIENT, "Patient"),
        (("patient", "experiencer"), Role.PATIENT, "Patient"),
        (("patient", "theme"), Role.PATIENT, "Agent"),  # "the ball rolled"
        ((), Role.PATIENT, "Agent"),
        (("theme",), Role.THEME, "Agent"),  # "she left"
        (("instrument",), Role.MANNER, "Agent"),
    ],
)
def test_when_an_agent_of_the_tables_is_none(
    verbnet_roles: tuple[str, ...], role: Role, kept: str
) -> None:
    subject = Argument("ARG1", (0, 1), 1, verbnet_roles, role)
    of = replace(tree(SNAGGED), predicates=(Predicate(2, "snag", "snag.01", (subject,)),))
    assert roles(verbnet.frames(of)[0]) == {"Verb": "snagged", kept: "The sleeve"}


def test_conllu_has_them_in_the_last_column(tmp_path: Path) -> None:
    of = labelled(SNAGGED, "3 snag.01 ARG1=2:Patient")
    text = format_conllu([of])
    last = [line.split("\t")[-1] for line in text.splitlines()[2:5]]
    places = ["TokenRange=0:3", "TokenRange=4:10", "TokenRange=11:18"]
    assert last == [*places[:2], f"Roleset=snag.01|ArgSpans=ARG1:1-2|{places[2]}"]
    (tmp_path / "one.conllu").write_text(text, encoding="utf-8")
    assert list(read_conllu(tmp_path / "one.conllu")) == [tree(SNAGGED)]


# The labeller's place in a pipeline.


def test_plain_data_has_offsets() -> None:
    text = "Ann\u2019s  “old” dog didn't chase\u00a0the cat 👍🏽 at 3 pm."
    structure = Pipeline().parse(text)
    parsed, text = structure.to_dict(), structure.text

    def written(spans: list[list[int]]) -> str:
        return " ".join(text[start:end] for start, end in spans)

    for token in parsed["tokens"]:
        assert text[token["start"] : token["end"]] == token["text"]
    assert " ".join(token["text"] for token in parsed["tokens"][:5]) == "Ann ’s “ old ”"
    assert [token["head"] for token in parsed["tokens"]].count(-1) == 1
    frame = parsed["frames"][0]
    assert frame["roles"] == {role: written(spans) for role, spans in frame["spans"].items()}
    assert len(frame["arguments"]) >= 2
    assert all(each["text"] == written(each["spans"]) for each in frame["arguments"])
    [time] = (fact for fact in parsed["facts"] if fact["type"] == "Time")
    assert text[time["start"] : time["end"]] == "3 pm"


def test_names() -> None:
    with pytest.raises(InputError, match="write verbnet or verbnet:tables"):
        Pipeline(parser="verbnet:rules")
    tables = Pipeline("verbnet-cn", parser="verbnet:tables")
    assert tables.parse(["It rained."])[0].tree.predicates is None


# What holds for all trees and predicates.


@st.composite
def any_predicates(draw: st.DrawFn) -> DependencyTree:
    of = draw(any_tree())
    words = st.integers(0, len(of) - 1)
    found = []
    for at in sorted(draw(st.sets(words, max_size=4))):
        arguments = []
        for head in draw(st.lists(words, max_size=4)):
            label = draw(st.sampled_from(["ARG0", "R-ARG0", "C-ARG1", "ARGM-LVB", "ARGM-TMP"]))
            role = draw(st.sampled_from([None, *Role]))
            arguments.append(Argument(label, of.subtree(head), head, (), role))
        found.append(Predicate(at, of[at].lemma, None, tuple(arguments)))
    return replace(of, predicates=tuple(found))


@given(any_predicates())
def test_any_predicates_give_frames(of: DependencyTree) -> None:
    found, plain = verbnet.frames(of), verbnet.frames(replace(of, predicates=None))
    assert found == verbnet.frames(of)
    for frame in found:
        seen = [t for filler in frame.fillers.values() for t in filler.tokens]
        assert Role.VERB in frame.fillers
        assert len(seen) == len(set(seen))  # no word in two roles
        assert all(filler.words and filler.tokens for filler in frame.fillers.values())
    labels = {argument.label for each in of.predicates or () for argument in each.arguments}
    if "ARGM-LVB" not in labels:
        # The labeller gives words other roles, and loses none.
        assert _words(plain[0], of) <= _words(found[0], of)
    assert parsed_as_text(verbnet.structure(of))
    assert json.dumps(verbnet.structure(of).to_dict())


def _words(frame: Frame, of: DependencyTree) -> set[int]:
    return {t for filler in frame.fillers.values() for t in filler.tokens if of[t].pos != "PUNCT"}
