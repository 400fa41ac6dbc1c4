from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.blocks import cases

from hybridsem.errors import InputError
from hybridsem.parsers.trees import clearnlp
from hybridsem.parsers.trees.clearnlp import is_clearnlp, to_ud
from hybridsem.structures import DependencyTree, Token

BE = {"is", "are", "was", "were", "be", "been"}


def tree(*rows: str) -> DependencyTree:
    """A tree from rows such as ``dog NOUN nsubj 3``: form, UPOS, relation, number of the governor
    (0: the root).
    """
    text, tokens = "", []
    for row in rows:
        form, pos, relation, head = row.split()
        lemma = "be" if form.lower() in BE else form.lower()
        tokens.append(
            Token(form, lemma, pos, int(head) - 1, relation, len(text), len(text) + len(form))
        )
        text += form + " "
    return DependencyTree(text.rstrip(), tuple(tokens))


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
    source = tree(*(word.replace("/", " ").replace("ROOT", "root") for word in words.split()))
    assert arcs(to_ud(source, known=True)) == expected.split()


def test_text_offsets_and_lemmas_stay() -> None:
    source = tree("Mice NOUN nsubj 2", "hid VERB root 0", "under ADP prep 2", "sofas NOUN pobj 3")
    converted = to_ud(source)
    assert converted.text == source.text
    assert [(t.text, t.lemma, t.start, t.end) for t in converted] == [
        (t.text, t.lemma, t.start, t.end) for t in source
    ]


def test_upos_follows_the_relation() -> None:
    source = tree(
        "When SCONJ advmod 3",
        "we PRON nsubj 3",
        "are AUX root 0",
        "good ADJ acomp 3",
        "for SCONJ prep 3",
        "it PRON pobj 5",
    )
    assert [token.pos for token in to_ud(source)] == ["ADV", "PRON", "AUX", "ADJ", "ADP", "PRON"]
    assert [
        token.pos for token in to_ud(tree("There PRON expl 2", "is AUX root 0", "hope NOUN attr 2"))
    ][1] == "VERB"


def test_universal_dependencies_are_left_alone() -> None:
    source = tree(
        "She PRON nsubj 3", "is AUX cop 3", "tall ADJ root 0", "and CCONJ cc 5", "kind ADJ conj 3"
    )
    assert to_ud(source) is source
    assert not is_clearnlp(["nsubj", "obl", "nmod:poss", "aux:pass", "obl:agent"])
    assert is_clearnlp(["nsubj", "pobj"])


def test_a_sentence_known_to_be_clearnlp_needs_no_telling_label() -> None:
    source = tree("Ann PROPN nsubj 4", "and CCONJ cc 1", "Bo PROPN conj 1", "ran VERB root 0")
    assert to_ud(source) is source
    assert arcs(to_ud(source, known=True))[1] == "and<-cc-Bo"


def test_two_roots_are_refused() -> None:
    with pytest.raises(InputError, match="one root"):
        to_ud(tree("a NOUN root 0", "b NOUN root 0"))


LABELS = sorted(
    {
        *clearnlp._RENAMED,
        *clearnlp._BY_GOVERNOR,
        "neg",
        "nsubj",
        "conj",
        "cc",
        "aux",
        "expl",
        "advmod",
        "ccomp",
        "nmod",
    }
)


@st.composite
def any_trees(draw: st.DrawFn) -> DependencyTree:
    """Any shape with any labels, however little sense they make together."""
    n = draw(st.integers(1, 12))
    order = draw(st.permutations(range(n)))
    heads = {
        word: order[draw(st.integers(0, rank - 1))] + 1 if rank else 0
        for rank, word in enumerate(order)
    }
    forms = st.sampled_from(["is", "to", "there", "in", "dogs", "here"])
    tags = st.sampled_from(["NOUN", "VERB", "AUX", "ADP", "ADJ", "PRON", "CCONJ"])
    return tree(
        *(
            f"{draw(forms)} {draw(tags)} {draw(st.sampled_from(LABELS))} {heads[i]}"
            for i in range(n)
        )
    )


@given(any_trees())
def test_a_tree_always_gives_a_tree_with_ud_labels(source: DependencyTree) -> None:
    converted = to_ud(source)
    assert converted.is_tree()
    assert converted[converted.root].relation == "root" or converted is source
    assert not is_clearnlp(token.relation for token in converted)
    assert to_ud(converted) is converted
