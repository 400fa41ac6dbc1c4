from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


CASES = {
    "objects of prepositions become obliques": (
        [
            "Mice NOUN nsubj 2",
            "hid VERB ROOT 0",
            "under ADP prep 2",
            "the DET det 5",
            "sofa NOUN pobj 3",
        ],
        "Mice<-nsubj-hid hid<-root-ROOT under<-case-sofa the<-det-sofa sofa<-obl-hid",
    ),
    "and modifiers of nouns": (
        ["roofs NOUN ROOT 0", "of ADP prep 1", "old ADJ amod 4", "barns NOUN pobj 2"],
        "roofs<-root-ROOT of<-case-barns old<-amod-barns barns<-nmod-roofs",
    ),
    "a chain of prepositions has one object": (
        [
            "Bees NOUN nsubj 2",
            "flew VERB ROOT 0",
            "out ADP prep 2",
            "of ADP prep 3",
            "jars NOUN pobj 4",
        ],
        "Bees<-nsubj-flew flew<-root-ROOT out<-case-jars of<-case-jars jars<-obl-flew",
    ),
    "as has a preposition whose object is another": (
        ["Late ADJ ROOT 0", "because SCONJ prep 1", "of ADP pcomp 2", "snow NOUN pobj 3"],
        "Late<-root-ROOT because<-case-snow of<-case-snow snow<-obl-Late",
    ),
    "an adverb before a preposition keeps its own place": (
        ["Left VERB ROOT 0", "early ADV advmod 1", "in ADP prep 2", "May PROPN pobj 3"],
        "Left<-root-ROOT early<-advmod-Left in<-case-May May<-obl-early",
    ),
    "a phrase below a preposition goes to its object": (
        [
            "Went VERB ROOT 0",
            "from ADP prep 1",
            "Oslo PROPN pobj 2",
            "to ADP prep 2",
            "Bergen PROPN pobj 4",
        ],
        "Went<-root-ROOT from<-case-Oslo Oslo<-obl-Went to<-case-Bergen Bergen<-nmod-Oslo",
    ),
    "prepositions that are coordinated": (
        [
            "Sat VERB ROOT 0",
            "by ADP prep 1",
            "walls NOUN pobj 2",
            "or CCONJ cc 2",
            "on ADP conj 2",
            "steps NOUN pobj 5",
        ],
        (
            "Sat<-root-ROOT by<-case-walls walls<-obl-Sat or<-cc-steps on<-case-steps "
            "steps<-conj-walls"
        ),
    ),
    "clauses below prepositions": (
        ["Win VERB ROOT 0", "by ADP prep 1", "trying VERB pcomp 2"],
        "Win<-root-ROOT by<-mark-trying trying<-advcl-Win",
    ),
    "clauses below prepositions of nouns": (
        ["plans NOUN ROOT 0", "for ADP prep 1", "moving VERB pcomp 2"],
        "plans<-root-ROOT for<-mark-moving moving<-acl-plans",
    ),
    "a preposition without object": (
        ["towns NOUN ROOT 0", "we PRON nsubj 3", "drove VERB relcl 1", "through ADP prep 3"],
        "towns<-root-ROOT we<-nsubj-drove drove<-acl:relcl-towns through<-advmod-drove",
    ),
    "a preposition as root": (
        ["Behind ADP ROOT 0", "bars NOUN pobj 1", ". PUNCT punct 1"],
        "Behind<-case-bars bars<-root-ROOT",
    ),
    "passives": (
        [
            *("Bread NOUN nsubjpass 4", "was AUX auxpass 4", "not PART neg 4", "eaten VERB ROOT 0"),
            *("by ADP agent 4", "ducks NOUN pobj 5"),
        ],
        "Bread<-nsubj:pass-eaten was<-aux:pass-eaten not<-advmod-eaten eaten<-root-ROOT "
        "by<-case-ducks "
        "ducks<-obl:agent-eaten",
    ),
    "two objects": (
        [
            "Ann PROPN nsubj 2",
            "sent VERB ROOT 0",
            "Bo PROPN dative 2",
            "his PRON poss 5",
            "keys NOUN dobj 2",
        ],
        "Ann<-nsubj-sent sent<-root-ROOT Bo<-iobj-sent his<-nmod:poss-keys keys<-obj-sent",
    ),
    "a recipient with a preposition": (
        [
            "Ann PROPN nsubj 2",
            "sent VERB ROOT 0",
            "keys NOUN dobj 2",
            "to ADP dative 2",
            "Bo PROPN pobj 4",
        ],
        "Ann<-nsubj-sent sent<-root-ROOT keys<-obj-sent to<-case-Bo Bo<-obl-sent",
    ),
    "particles, times and negated nouns": (
        [
            "No DET neg 2",
            "one NOUN nsubj 3",
            "woke VERB ROOT 0",
            "up ADP prt 3",
            "today NOUN npadvmod 3",
        ],
        (
            "No<-det-one one<-nsubj-woke woke<-root-ROOT up<-compound:prt-woke "
            "today<-obl:unmarked-woke"
        ),
    ),
    "adjectives after be": (
        [
            "They PRON nsubj 3",
            "have AUX aux 3",
            "been AUX ROOT 0",
            "ill ADJ acomp 3",
            "lately ADV advmod 3",
        ],
        "They<-nsubj-ill have<-aux-ill been<-cop-ill ill<-root-ROOT lately<-advmod-ill",
    ),
    "nouns after be, with what belongs to the clause": (
        [
            "She PRON nsubj 2",
            "was AUX ROOT 0",
            "mayor NOUN attr 2",
            "in ADP prep 2",
            "1990 NUM pobj 4",
        ],
        "She<-nsubj-mayor was<-cop-mayor mayor<-root-ROOT in<-case-1990 1990<-obl-mayor",
    ),
    "places after be": (
        [
            "Cups NOUN nsubj 2",
            "are AUX ROOT 0",
            "on ADP prep 2",
            "shelves NOUN pobj 3",
            "now ADV advmod 2",
        ],
        (
            "Cups<-nsubj-shelves are<-cop-shelves on<-case-shelves shelves<-root-ROOT "
            "now<-advmod-shelves"
        ),
    ),
    "adverbs of place after be": (
        ["Where SCONJ advmod 2", "is AUX ROOT 0", "it PRON nsubj 2"],
        "Where<-root-ROOT is<-cop-Where it<-nsubj-Where",
    ),
    "other adverbs leave be alone": (
        ["That PRON nsubj 2", "was AUX ROOT 0", "then ADV advmod 2"],
        "That<-nsubj-was was<-root-ROOT then<-advmod-was",
    ),
    "existence": (
        [
            "There PRON expl 2",
            "are AUX ROOT 0",
            "owls NOUN attr 2",
            "in ADP prep 2",
            "trees NOUN pobj 4",
        ],
        "There<-expl-are are<-root-ROOT owls<-nsubj-are in<-case-trees trees<-obl-are",
    ),
    "a question with two predicates": (
        ["Is AUX ROOT 0", "this PRON attr 1", "soup NOUN attr 1"],
        "Is<-cop-soup this<-nsubj-soup soup<-root-ROOT",
    ),
    "be below another verb": (
        ["Hopes VERB ROOT 0", "to PART aux 3", "be AUX xcomp 1", "rich ADJ acomp 3"],
        "Hopes<-root-ROOT to<-mark-rich be<-cop-rich rich<-xcomp-Hopes",
    ),
    "verbs like become keep their place": (
        ["He PRON nsubj 2", "became VERB ROOT 0", "king NOUN attr 2"],
        "He<-nsubj-became became<-root-ROOT king<-xcomp-became",
    ),
    "coordination hangs on the first conjunct": (
        [
            *(
                "Cats NOUN nsubj 6",
                ", PUNCT punct 1",
                "dogs NOUN conj 1",
                "and CCONJ cc 3",
                "hens NOUN conj 3",
            ),
            *("ate VERB ROOT 0", "and CCONJ cc 6", "were AUX conj 6", "glad ADJ acomp 8"),
        ],
        "Cats<-nsubj-ate dogs<-conj-Cats and<-cc-hens hens<-conj-Cats ate<-root-ROOT "
        "and<-cc-glad were<-cop-glad "
        "glad<-conj-ate",
    ),
    "a conjunction that opens the sentence stays": (
        ["But CCONJ cc 2", "wait VERB ROOT 0", "up ADP prt 2"],
        "But<-cc-wait wait<-root-ROOT up<-compound:prt-wait",
    ),
    "relative clauses with be": (
        ["men NOUN ROOT 0", "who PRON nsubj 3", "are AUX relcl 1", "lost ADJ acomp 3"],
        "men<-root-ROOT who<-nsubj-lost are<-cop-lost lost<-acl:relcl-men",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_structure_and_labels(name: str) -> None:
    rows, expected = CASES[name]
    source = tree(*(row.replace("ROOT", "root") for row in rows))
    assert arcs(to_ud(source, known=True)) == expected.split(), name


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


def test_a_sentence_of_ten_thousand_words() -> None:
    rows = ["Start VERB root 0"]
    for i in range(2, 10_000, 4):
        rows += [
            f"at ADP prep {max(1, i - 1)}",
            f"sea NOUN pobj {i}",
            f"and CCONJ cc {i + 1}",
            f"air NOUN conj {i + 1}",
        ]
    converted = to_ud(tree(*rows))
    assert converted.is_tree()
    assert sum(token.relation == "case" for token in converted) == len(range(2, 10_000, 4))
