"""AMR from dependency trees: one construction a case, then what holds for every tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.generated import sentences
from support.trees import tree

from hybridsem.amr import AmrGraph
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.graphs.smatch import Smatch, smatch
from hybridsem.graphs.triples import Triples
from hybridsem.parsers.amr_rules.frames import Frames, shipped
from hybridsem.parsers.amr_rules.graph import GraphBuilder
from hybridsem.parsers.amr_rules.parser import EmbeddedAmr, graph_of
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import DependencyTree, ParseFailure, Token

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
MAN_SITS = "A/DET/det/2 man/NOUN/nsubj/3 sits|sit/VERB/root/0 "

CONSTRUCTIONS = {
    "active": (
        "The/DET/det/2 cat/NOUN/nsubj/3 chased|chase/VERB/root/0 a/DET/det/5 mouse/NOUN/obj/3",
        "(c / chase-01 :ARG0 (c2 / cat) :ARG1 (m / mouse))",
    ),
    "passive": (
        "A/DET/det/2 mouse/NOUN/nsubj:pass/4 was|be/AUX/aux:pass/4 chased|chase/VERB/root/0 "
        "by/ADP/case/7 the/DET/det/7 cat/NOUN/obl:agent/4",
        "(c / chase-01 :ARG1 (m / mouse) :ARG0 (c2 / cat))",
    ),
    "argument of the frame": (
        MAN_SITS + "on/ADP/case/6 the/DET/det/6 couch/NOUN/obl/3",
        "(s / sit-01 :ARG1 (m / man) :ARG2 (c / couch))",
    ),
    "preposition that is a concept": (
        MAN_SITS + "behind/ADP/case/6 the/DET/det/6 couch/NOUN/obl/3",
        "(s / sit-01 :ARG1 (m / man) :ARG2 (b / behind :op1 (c / couch)))",
    ),
    "in front of": (
        MAN_SITS + "in/ADP/case/5 front/NOUN/obl/3 of/ADP/case/8 the/DET/det/8 bridge/NOUN/nmod/5",
        "(s / sit-01 :ARG1 (m / man) :ARG2 (i / in-front-of :op1 (b / bridge)))",
    ),
    "participle beside the verb": (
        MAN_SITS + ",/PUNCT/punct/5 reading|read/VERB/advcl/3",
        "(s / sit-01 :ARG1 (m / man :ARG0-of (r / read-01)))",
    ),
    "instrument": (
        "The/DET/det/3 old/ADJ/amod/3 man/NOUN/nsubj/4 cut/VERB/root/0 the/DET/det/6 "
        "bread/NOUN/obj/4 "
        "with/ADP/case/9 a/DET/det/9 knife/NOUN/obl/4",
        "(c / cut-01 :ARG0 (m / man :mod (o / old)) :ARG1 (b / bread) :instrument (k / knife))",
    ),
    "relative clause": (
        "A/DET/det/2 dog/NOUN/nsubj/7 that/PRON/nsubj/4 chased|chase/VERB/acl:relcl/2 "
        "the/DET/det/6 cat/NOUN/obj/4 "
        "barks|bark/VERB/root/0",
        "(b / bark-01 :ARG0 (d / dog :ARG0-of (c / chase-01 :ARG1 (c2 / cat))))",
    ),
    "relative clause without a pronoun": (
        "the/DET/det/2 house/NOUN/root/0 we/PRON/nsubj/4 built|build/VERB/acl:relcl/2",
        "(h / house :ARG1-of (b / build-01 :ARG0 (w / we)))",
    ),
    "relative place": (
        "The/DET/det/2 house/NOUN/nsubj/7 where/ADV/advmod/5 she/PRON/nsubj/5 "
        "lives|live/VERB/acl:relcl/2 "
        "is|be/AUX/cop/7 big/ADJ/root/0",
        "(b / big :domain (h / house :location-of (l / live-01 :ARG0 (s / she))))",
    ),
    "control": (
        "The/DET/det/2 boy/NOUN/nsubj/3 wants|want/VERB/root/0 to/PART/mark/5 go/VERB/xcomp/3",
        "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    ),
    "modality and negation": (
        "You/PRON/nsubj/4 must/AUX/aux/4 not/PART/advmod/4 swim/VERB/root/0",
        "(o / obligate-01 :ARG2 (s / swim-01 :polarity - :ARG0 (y / you)))",
    ),
    "not possible": (
        "She/PRON/nsubj/4 can/AUX/aux/4 not/PART/advmod/4 swim/VERB/root/0",
        "(p / possible-01 :polarity - :ARG1 (s / swim-01 :ARG0 (s2 / she)))",
    ),
    "has to": (
        "He/PRON/nsubj/2 has|have/VERB/root/0 to/PART/mark/4 work/VERB/xcomp/2",
        "(o / obligate-01 :ARG2 (w / work-01 :ARG0 (h / he)))",
    ),
    "there is": (
        "There/PRON/expl/2 is|be/VERB/root/0 a/DET/det/4 dog/NOUN/nsubj/2 in/ADP/case/7 "
        "the/DET/det/7 "
        "garden/NOUN/obl/2",
        "(d / dog :location (g / garden))",
    ),
    "copula with a place": (
        (
            "The/DET/det/2 cat/NOUN/nsubj/6 is|be/AUX/cop/6 under/ADP/case/6 the/DET/det/6 "
            "table/NOUN/root/0"
        ),
        "(b / be-located-at-91 :ARG1 (c / cat) :ARG2 (u / under :op1 (t / table)))",
    ),
    "copula with a noun": (
        "Whales|whale/NOUN/nsubj/3 are|be/AUX/cop/3 mammals|mammal/NOUN/root/0",
        "(m / mammal :domain (w / whale))",
    ),
    "comparison": (
        "She/PRON/nsubj/3 is|be/AUX/cop/3 taller|tall/ADJ/root/0 than/ADP/case/5 you/PRON/obl/3",
        "(h / have-degree-91 :ARG1 (s / she) :ARG2 (t / tall) :ARG3 (m / more) :ARG4 (y / you))",
    ),
    "age": (
        (
            "He/PRON/nsubj/5 is|be/AUX/cop/5 six/NUM/nummod/4 years|year/NOUN/obl:unmarked/5 "
            "old/ADJ/root/0"
        ),
        "(a / age-01 :ARG1 (h / he) :ARG2 (t / temporal-quantity :quant 6 :unit (y / year)))",
    ),
    "coordination, numbers, colours, containers": (
        "He/PRON/nsubj/2 bought|buy/VERB/root/0 three/NUM/nummod/5 red/ADJ/amod/5 "
        "apples|apple/NOUN/obj/2 "
        "and/CCONJ/cc/8 a/DET/det/8 cup/NOUN/conj/5 of/ADP/case/10 tea/NOUN/nmod/8",
        "(b / buy-01 :ARG0 (h / he) :ARG1 (a / and :op1 (a2 / apple :quant 3 :ARG1-of (r / "
        "red-02)) "
        ":op2 (c / cup :ARG0-of (c2 / contain-01 :ARG1 (t / tea)))))",
    ),
    "shared subject": (
        "She/PRON/nsubj/2 came|come/VERB/root/0 and/CCONJ/cc/4 saw|see/VERB/conj/2 it/PRON/obj/4",
        "(a / and :op1 (c / come-01 :ARG0 (s / she)) :op2 (s2 / see-01 :ARG0 s :ARG1 (i / it)))",
    ),
    "who": (
        "Who/PRON/nsubj/2 broke|break/VERB/root/0 the/DET/det/4 vase/NOUN/obj/2 ?/PUNCT/punct/2",
        "(b / break-01 :ARG0 (a / amr-unknown) :ARG1 (v / vase))",
    ),
    "why": (
        "Why/ADV/advmod/4 did|do/AUX/aux/4 we/PRON/nsubj/4 cry/VERB/root/0 ?/PUNCT/punct/4",
        "(c / cry-01 :ARG0 (w / we) :ARG1-of (c2 / cause-01 :ARG0 (a / amr-unknown)))",
    ),
    "yes or no": (
        "Is|be/AUX/cop/3 he/PRON/nsubj/3 happy/ADJ/root/0 ?/PUNCT/punct/3",
        "(h / happy-01 :ARG1 (h2 / he) :polarity (a / amr-unknown))",
    ),
    "indirect question": (
        "I/PRON/nsubj/2 know/VERB/root/0 what/PRON/obj/5 he/PRON/nsubj/5 wants|want/VERB/ccomp/2",
        "(k / know-01 :ARG0 (i / i) :ARG1 (t / thing :ARG1-of (w / want-01 :ARG0 (h / he))))",
    ),
    "imperative": (
        "Go/VERB/root/0 home/ADV/advmod/1 !/PUNCT/punct/1",
        "(g / go-02 :mode imperative :ARG0 (y / you) :location (h / home))",
    ),
    "condition": (
        (
            "If/SCONJ/mark/3 they/PRON/nsubj/3 lose/VERB/advcl/6 ,/PUNCT/punct/3 we/PRON/nsubj/6 "
            "win/VERB/root/0"
        ),
        "(w / win-01 :ARG0 (w2 / we) :condition (l / lose-01 :ARG0 (t / they)))",
    ),
    "cause": (
        (
            "She/PRON/nsubj/2 sang|sing/VERB/root/0 because/SCONJ/mark/5 they/PRON/nsubj/5 "
            "left|leave/VERB/advcl/2"
        ),
        (
            "(s / sing-01 :ARG0 (s2 / she) :ARG1-of (c / cause-01 :ARG0 (l / leave-01 :ARG0 (t / "
            "they))))"
        ),
    ),
    "but at the start, never": (
        "But/CCONJ/cc/4 he/PRON/nsubj/4 never/ADV/advmod/4 slept|sleep/VERB/root/0",
        "(c / contrast-01 :ARG2 (s / sleep-01 :polarity - :ARG0 (h / he) :time (e / ever)))",
    ),
    "light verb, agent noun": (
        "The/DET/det/2 singer/NOUN/nsubj/3 made|make/VERB/root/0 a/DET/det/5 decision/NOUN/obj/3",
        "(d / decide-01 :ARG0 (p / person :ARG0-of (s / sing-01)))",
    ),
    "verb with a subject below it": (
        "He/PRON/nsubj/2 made|make/VERB/root/0 her|she/PRON/obj/2 laugh/VERB/xcomp/2",
        "(m / make-01 :ARG0 (h / he) :ARG1 (l / laugh-01 :ARG0 (s / she)))",
    ),
    "becoming": (
        "The/DET/det/2 cat/NOUN/nsubj/3 got|get/VERB/root/0 happy/ADJ/xcomp/3",
        "(h / happy-01 :ARG1 (c / cat))",
    ),
    "event noun": (
        "The/DET/det/2 destruction/NOUN/root/0 of/ADP/case/5 the/DET/det/5 city/NOUN/nmod/2 "
        "by/ADP/case/8 "
        "the/DET/det/8 army/NOUN/nmod/2",
        "(d / destroy-01 :ARG1 (c / city) :ARG0 (a / army))",
    ),
    "names": (
        "Mary|Mary/PROPN/nsubj/3 Smith|Smith/PROPN/flat/1 lives|live/VERB/root/0 in/ADP/case/5 "
        "London|London/PROPN/obl/3",
        '(l / live-01 :ARG0 (p / person :name (n / name :op1 "Mary" :op2 "Smith")) '
        ':location (c / city :name (n2 / name :op1 "London")))',
    ),
    "kin, times": (
        "My/PRON/nmod:poss/2 mother/NOUN/nsubj/3 left|leave/VERB/root/0 two/NUM/nummod/5 "
        "hours|hour/NOUN/obl:unmarked/6 ago/ADV/advmod/3",
        "(l / leave-01 :ARG0 (p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (m "
        "/ mother))) "
        ":time (b / before :op1 (n / now) :quant (t / temporal-quantity :quant 2 :unit (h2 / "
        "hour))))",
    ),
    "weekday": (
        "She/PRON/nsubj/2 came|come/VERB/root/0 on/ADP/case/4 Monday|Monday/PROPN/obl/2",
        "(c / come-01 :ARG0 (s / she) :time (d / date-entity :weekday (m / monday)))",
    ),
    "part of whom": (
        (
            "The/DET/det/2 girl/NOUN/nsubj/3 washed|wash/VERB/root/0 her|she/PRON/nmod:poss/5 "
            "hands|hand/NOUN/obj/3"
        ),
        "(w / wash-01 :ARG0 (g / girl) :ARG1 (h / hand :part-of g))",
    ),
    "another's": (
        (
            "The/DET/det/2 boy/NOUN/nsubj/3 washed|wash/VERB/root/0 her|she/PRON/nmod:poss/5 "
            "car/NOUN/obj/3"
        ),
        "(w / wash-01 :ARG0 (b / boy) :ARG1 (c / car :poss (s / she)))",
    ),
    "manner that is a frame": (
        "The/DET/det/2 door/NOUN/nsubj/3 opened|open/VERB/root/0 slowly/ADV/advmod/3",
        "(o / open-01 :ARG1 (d / door) :ARG1-of (s / slow-05))",
    ),
    "group": (
        "A/DET/det/2 group/NOUN/nsubj/5 of/ADP/case/4 men|man/NOUN/nmod/2 stand/VERB/root/0",
        "(s / stand-01 :ARG1 (g / group :consist-of (m / man)))",
    ),
    "material": (
        "a/DET/det/3 wooden/ADJ/amod/3 toy/NOUN/root/0",
        "(t / toy :consist-of (w / wood))",
    ),
    "hyphen": (
        "A/DET/det/4 grown/VERB/amod/4 -/PUNCT/punct/4 up/NOUN/nsubj/5 sleeps|sleep/VERB/root/0",
        "(s / sleep-01 :ARG0 (g / grown-up))",
    ),
    "he said": (
        (
            "It/PRON/nsubj/2 rains|rain/VERB/root/0 ,/PUNCT/punct/2 he/PRON/nsubj/5 "
            "said|say/VERB/parataxis/2"
        ),
        "(s / say-01 :ARG0 (h / he) :ARG1 (r / rain-01 :ARG0 (i / it)))",
    ),
    "interjection": ("Oh/INTJ/root/0 !/PUNCT/punct/1", "(o / oh :mode expressive)"),
    "chapter": ("Chapter|chapter/NOUN/root/0 12/NUM/nummod/1", "(c / chapter :mod 12)"),
}


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_constructions(name: str) -> None:
    words, expected = CONSTRUCTIONS[name]
    assert graph_of(tree(words), FRAMES).to_penman(metadata=False, indent=None) == expected


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("three", "3"),
        ("seven-teen", None),
        ("twenty-five", "25"),
        ("1,274", "1274"),
        ("2.5", "2.5"),
        ("dozen", "12"),
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


def test_edges_are_written_from_the_root_downwards() -> None:
    builder = GraphBuilder()
    man, sing, hand = builder.node("man"), builder.node("sing-01"), builder.node("hand")
    builder.edge(sing, "ARG0", man)
    builder.edge(sing, "ARG0", sing)  # a node is no argument of itself
    builder.edge(hand, "part-of", man)
    builder.node("left-out")
    assert (
        builder.finish(man, "").to_penman(metadata=False, indent=None)
        == "(m / man :ARG0-of (s / sing-01) :part (h / hand))"
    )


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
    assert sorted(decoded.triples) == sorted(graph.to_graph().triples)
    assert not model.errors(decoded), notation
    assert len(graph.instances) == len({triple.source for triple in graph.instances})
    for _, role, _ in graph.triples:
        assert role == ":instance" or ROLE.fullmatch(role), role


def split(text: str) -> list[str]:
    return text.split()


RELATIONS = split(
    "nsubj nsubj:pass csubj obj iobj ccomp xcomp obl obl:agent advcl advmod aux aux:pass cop "
    "mark case det amod "
    "nummod nmod nmod:poss compound compound:prt flat appos acl acl:relcl conj cc parataxis "
    "discourse vocative "
    "expl punct dep fixed orphan list reparandum goeswith dislocated"
)
WORDS = split(
    "there not never who what where how that which if to of in with than as each other one two "
    "old year years - "
    "he her his they it and but more most too is be has make go said dog boxes London Monday "
    "red slowly ago so 7 "
    '? ! ( " 🎉 é'
)
TAGS = split("NOUN VERB ADJ ADV PRON PROPN AUX ADP DET NUM PUNCT INTJ SCONJ CCONJ PART SYM X")


@st.composite
def trees(draw: st.DrawFn) -> DependencyTree:
    """Any tree at all, in any order, with labels at random."""
    n = draw(st.integers(1, 14))
    order = draw(st.permutations(range(n)))
    head = dict.fromkeys(order[:1], -1) | {
        order[k]: order[draw(st.integers(0, k - 1))] for k in range(1, n)
    }
    tokens, at = [], 0
    for i in range(n):
        word = draw(st.sampled_from(WORDS))
        relation = draw(st.sampled_from(RELATIONS)) if head[i] >= 0 else "root"
        tokens.append(
            Token(
                word,
                word.lower(),
                draw(st.sampled_from(TAGS)),
                head[i],
                relation,
                at,
                at + len(word),
            )
        )
        at += len(word) + 1
    return DependencyTree(" ".join(token.text for token in tokens), tuple(tokens))


@settings(max_examples=400)
@given(trees())
def test_any_tree_gives_a_graph(tree: DependencyTree) -> None:
    graph = graph_of(tree)
    check(graph)
    assert graph_of(tree).triples == graph.triples


@pytest.fixture(scope="module")
def parser(encoder: EmbeddedEncoder) -> EmbeddedAmr:
    return EmbeddedAmr(EmbeddedTrees(encoder))


@settings(max_examples=30)
@given(text=sentences())
def test_sentences_give_graphs(parser: EmbeddedAmr, text: str) -> None:
    [graph] = parser.graphs([text])
    assert isinstance(graph, AmrGraph)
    assert graph.text == text
    check(graph)


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "?!",
        "9" * 400,
        "🎉🎉 👩‍👩‍👧",
        "Der Hund bellt nicht.",
        "猫が犬を追いかけた。",
        'He said "((" ~e.1 / :ARG0 \\ to me.',
        "a\u0000b \u202e c",
        "and " * 200,
        "https://example.org/a?b=c#d",
        "the dog that saw the cat that saw " * 30 + "me",
    ],
)
def test_odd_sentences_give_graphs(parser: EmbeddedAmr, text: str) -> None:
    [graph] = parser.graphs([text])
    assert isinstance(graph, AmrGraph)
    check(graph)


@pytest.mark.parametrize("pos", ["VERB", "NOUN", "ADJ", "ADV", "NUM", "INTJ"])
@pytest.mark.parametrize("relation", [r for r in RELATIONS if r not in ("punct", "cc")])
def test_a_very_deep_tree(relation: str, pos: str) -> None:
    tokens = [
        Token("ten", "ten", pos, i - 1, relation if i else "root", 4 * i, 4 * i + 3)
        for i in range(400)
    ]
    check(graph_of(DependencyTree(" ".join(["ten"] * len(tokens)), tuple(tokens))))


def test_any_tree_parser_and_its_failures() -> None:
    class Trees:
        def trees(self, sentences: Sequence[str]) -> list[DependencyTree | ParseFailure]:
            return [
                ParseFailure(text, "no") if text == "no" else tree("yes/INTJ/root/0")
                for text in sentences
            ]

    found = EmbeddedAmr(Trees()).graphs(["yes", "no"])
    assert str(found[0]) == "(y / yes)"
    assert found[1] == ParseFailure("no", "no")


def test_the_treebank_gives_graphs(shared_data: Path) -> None:
    count = 0
    for given_tree in read_conllu(shared_data / "ud-ewt" / "dev.conllu"):
        check(graph_of(given_tree))
        count += 1
    assert count == 2001


def test_agreement_with_gold_graphs(parser: EmbeddedAmr, shared_data: Path) -> None:
    notation = (shared_data / "amr" / "little-prince-v3.0-dev.txt").read_text(encoding="utf-8")
    gold = [AmrGraph.from_penman(block) for block in notation.split("\n\n") if "::snt" in block]
    total = Smatch(0, 0, 0, 0)
    for theirs, ours in zip(gold, parser.graphs([graph.text for graph in gold]), strict=True):
        assert isinstance(ours, AmrGraph)
        total += smatch(Triples.of(ours), Triples.of(theirs))
    assert len(gold) == 145
    assert total.f1 >= 0.65
