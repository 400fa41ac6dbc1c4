from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.blocks import cases
from support.trees import any_tree
from support.trees import tree as written

from hybridsem.errors import InputError
from hybridsem.parsers.trees import clearnlp
from hybridsem.parsers.trees.clearnlp import is_clearnlp, to_ud
from hybridsem.structures import DependencyTree

BE = {"is", "are", "was", "were", "be", "been"}


def tree(words: str) -> DependencyTree:
    """A tree from words as in ``support.trees``, with the lemmas of "be"."""
    of = written(words)
    tokens = (replace(t, lemma="be") if t.lemma in BE else t for t in of)
    return replace(of, tokens=tuple(tokens))


def arcs(converted: DependencyTree) -> list[str]:
    """``form<-relation-governor`` for every word that is not punctuation."""
    assert converted.is_tree()
    return [
        f"{token.text}<-{token.relation}-"
        + (converted[token.head].text if token.head >= 0 else "ROOT")
        for token in converted
        if token.pos != "PUNCT"
    ]


@pytest.mark.parametrize("lines", cases(__file__))
def test_structure_and_labels(lines: list[str]) -> None:
    words, expected = lines
    source = tree(words.replace("ROOT", "root"))
    assert arcs(to_ud(source, known=True)) == expected.split()


def test_upos_follows_the_relation() -> None:
    when = "When/SCONJ/advmod/3 we/PRON/nsubj/3 are/AUX/root/0 good/ADJ/acomp/3"
    source = tree(f"{when} for/SCONJ/prep/3 it/PRON/pobj/5")
    assert [token.pos for token in to_ud(source)] == ["ADV", "PRON", "AUX", "ADJ", "ADP", "PRON"]
    there = to_ud(tree("There/PRON/expl/2 is/AUX/root/0 hope/NOUN/attr/2"))
    assert there[1].pos == "VERB"


def test_universal_dependencies_are_left_alone() -> None:
    source = tree("She/PRON/nsubj/3 is/AUX/cop/3 tall/ADJ/root/0 and/CCONJ/cc/5 kind/ADJ/conj/3")
    assert to_ud(source) is source
    assert not is_clearnlp(["nsubj", "obl", "nmod:poss", "aux:pass", "obl:agent"])
    assert is_clearnlp(["nsubj", "pobj"])


def test_a_sentence_known_to_be_clearnlp_needs_no_telling_label() -> None:
    source = tree("Ann/PROPN/nsubj/4 and/CCONJ/cc/1 Bo/PROPN/conj/1 ran/VERB/root/0")
    assert to_ud(source) is source
    assert arcs(to_ud(source, known=True))[1] == "and<-cc-Bo"


def test_two_roots_are_refused() -> None:
    with pytest.raises(InputError, match="one root"):
        to_ud(tree("a/NOUN/root/0 b/NOUN/root/0"))


OTHERS = "neg nsubj conj cc aux expl advmod ccomp nmod"
LABELS = sorted({*clearnlp._RENAMED, *clearnlp._BY_GOVERNOR, *OTHERS.split()})


@st.composite
def clearnlp_trees(draw: st.DrawFn) -> DependencyTree:
    """Any tree with any labels."""
    of, labels = draw(any_tree()), st.sampled_from(LABELS)
    tokens = (t if t.head < 0 else replace(t, relation=draw(labels)) for t in of)
    return replace(of, tokens=tuple(tokens))


@given(clearnlp_trees())
def test_a_tree_always_gives_a_tree_with_ud_labels(source: DependencyTree) -> None:
    converted = to_ud(source)
    first, second = ([(t.text, t.lemma, t.start) for t in each] for each in (source, converted))
    assert first == second
    assert converted.is_tree()
    assert converted[converted.root].relation == "root" or converted is source
    assert not is_clearnlp(token.relation for token in converted)
    assert to_ud(converted) is converted
