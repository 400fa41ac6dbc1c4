"""AMR from dependency trees: one construction a case, then what holds for every tree."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from support.blocks import cases
from support.trees import any_tree, tree

from hybridsem.amr import AmrGraph
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.graphs.smatch import Smatch, smatch
from hybridsem.graphs.triples import Triples
from hybridsem.parsers.amr_rules.draft import GraphBuilder
from hybridsem.parsers.amr_rules.parser import EmbeddedAmr, graph_of
from hybridsem.parsers.amr_rules.words import Frames, shipped
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import DependencyTree, Token

FRAMES = Frames(
    words={
        "go/VERB": "go-02",
        "decision/NOUN": "decide-01",
        "destruction/NOUN": "destroy-01",
        "happy/ADJ": "happy-01",
        "slow/ADJ": "slow-05",
        "have/VERB": "have-03",
    },
    roles={
        "sit-01": {"subj0": "ARG1", "in": "ARG2", "on": "ARG2"},
        "destroy-01": {"of": "ARG1"},
        "open-01": {"subj0": "ARG1"},
        "stand-01": {"subj0": "ARG1", "in": "ARG2", "on": "ARG2"},
    },
    light=frozenset({"make decision"}),
)


@pytest.mark.parametrize("lines", cases(__file__))
def test_constructions(lines: list[str]) -> None:
    words, expected = lines
    assert graph_of(tree(words), FRAMES).to_penman(metadata=False, indent=None) == expected


@pytest.mark.parametrize(
    ("word", "number"),
    [
        *(("three", "3"), ("seven-teen", None), ("twenty-five", "25")),
        *(("1,274", "1274"), ("2.5", "2.5"), ("dozen", "12")),
    ],
)
def test_numbers(word: str, number: str | None) -> None:
    graph = graph_of(tree(f"{word}/NUM/nummod/2 lamps|lamp/NOUN/root/0"), FRAMES)
    found = [target for _, role, target in graph.attributes if role == ":quant"]
    assert found == ([number] if number else [])


def test_the_shipped_frames() -> None:
    frames = shipped()
    assert frames.of("destruction", "NOUN") == "destroy-01"
    assert frames.role("give-01", "to") == "ARG2"
    assert frames.role("sit-01", "subj0") == "ARG1"
    assert frames.role("nothing-is-known-of-01", "subj") == "ARG0"
    assert frames.placed("sit-01", "behind") == "ARG2"
    assert frames.placed("sit-01", "because of") is None
    assert frames.verb("pick", "up", True) == "pick-up-04"
    assert frames.verb("blorp", "up", True) == frames.verb("blorp", "", False) == "blorp-01"


@pytest.mark.parametrize(
    "concept", ['a"b', "a b/c", "((", "x:y~e.1", "\x00", "", "+", "'s", "日本", "🎉"]
)
def test_concepts_can_be_written(concept: str) -> None:
    builder = GraphBuilder()
    graph = builder.finish(builder.node(concept), "")
    assert AmrGraph.from_penman(graph.to_penman()).triples == graph.triples


# --- every tree


ROLE = re.compile(
    r":(ARG\d|op\d+|accompanier|beneficiary|concession|condition|consist|day|dayperiod|degree|destination|direction|"
    r"domain|duration|extent|frequency|instrument|location|manner|medium|mod|mode|month|name|ord|part|path|polarity|"
    r"poss|prep-as|purpose|quant|season|source|time|topic|unit|value|weekday|year)(-of)?"
)


def check(graph: AmrGraph) -> None:
    """That a graph is connected (AmrGraph sees to it), reads back as itself, and has AMR's
    roles.
    """
    from penman import decode
    from penman.models.amr import model

    notation = graph.to_penman()
    assert AmrGraph.from_penman(notation).triples == graph.triples
    decoded = decode(notation, model=model)
    parts = (*graph.instances, *graph.edges, *graph.attributes)
    assert sorted(decoded.triples) == sorted(parts)
    assert not model.errors(decoded), notation
    assert len(graph.instances) == len({triple.source for triple in graph.instances})
    for _, role, _ in graph.triples:
        assert role == ":instance" or ROLE.fullmatch(role), role


@settings(max_examples=100)
@given(any_tree())
def test_any_tree_gives_a_graph(tree: DependencyTree) -> None:
    graph = graph_of(tree)
    check(graph)
    assert graph_of(tree).triples == graph.triples


@pytest.mark.parametrize("pos", ["VERB", "NOUN", "ADJ", "INTJ"])
@pytest.mark.parametrize("relation", ["nsubj", "obj", "xcomp", "obl", "nmod", "acl:relcl", "conj"])
def test_a_very_deep_tree(relation: str, pos: str) -> None:
    tokens = [
        Token("ten", "ten", pos, i - 1, relation if i else "root", 4 * i, 4 * i + 3)
        for i in range(400)
    ]
    check(graph_of(DependencyTree(" ".join(["ten"] * len(tokens)), tuple(tokens))))


@pytest.mark.slow
def test_the_treebank_gives_graphs(shared_data: Path) -> None:
    count = 0
    for given_tree in read_conllu(shared_data / "ud-ewt" / "dev.conllu"):
        check(graph_of(given_tree))
        count += 1
    assert count == 2001


def test_agreement_with_gold_graphs(encoder: EmbeddedEncoder, shared_data: Path) -> None:
    notation = (shared_data / "amr" / "little-prince-v3.0-dev.txt").read_text(encoding="utf-8")
    gold = [AmrGraph.from_penman(block) for block in notation.split("\n\n") if "::snt" in block]
    total = Smatch(0, 0, 0, 0)
    found = EmbeddedAmr(EmbeddedTrees(encoder)).graphs([graph.text for graph in gold])
    for theirs, ours in zip(gold, found, strict=True):
        total += smatch(Triples.of(ours), Triples.of(theirs))
    assert len(gold) == 145
    assert total.f1 >= 0.65
