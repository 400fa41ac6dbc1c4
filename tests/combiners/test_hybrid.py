"""The hybrid: a cosine less a penalty for each difference."""

import itertools
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from support.blocks import rows
from support.generated import some_sentences
from support.roles import Compass, structure

from hybridsem import Pipeline
from hybridsem._utils.predictors import Curve
from hybridsem.combiners.base import Batch, HasBounds, HasScores
from hybridsem.combiners.hybrid import TERMS, HybridCombiner, shipped_weighting
from hybridsem.combiners.weighting import Weighting
from hybridsem.comparison.alignment import align_words
from hybridsem.comparison.differences import Differences, differences
from hybridsem.comparison.edits import CHARGED, ROLES, Kind
from hybridsem.comparison.reading import read_sentence
from hybridsem.english.lexicon import lexicon
from hybridsem.english.rewrite import is_tree
from hybridsem.english.rules import shipped
from hybridsem.errors import InputError
from hybridsem.explanations import RoleMatch
from hybridsem.structures import ParseFailure, RoleStructure, Token

EQUAL = Weighting(dict.fromkeys(CHARGED, Curve(np.array([0.0, 1.0]), np.array([0.0, 0.1]))))
"""All terms, with one weight."""

ANSWERS = {(one, two): terms.split("; ") for one, two, terms in rows(__file__, "terms")}

ODD = [
    "Dogs",
    "wow",
    "The red house.",
    "of the and",
    "😀",
    "... !?",
    "42",
    "word " * 300,
    "Der Hund jagt die Katze im Garten.",
    "猫は犬を追いかけた。",
    "\u202eabc",
    "Buffalo buffalo Buffalo buffalo buffalo buffalo Buffalo buffalo.",
    "not not not never",
    "To be, or not to be, that is the question?",
]


@pytest.fixture(scope="module")
def plain(pipelines: dict[str, Pipeline]) -> Pipeline:
    """The hybrid in which every term counts."""
    shared = pipelines["hybrid"]
    nlp = Pipeline(encoder=shared.encoder, vectors=shared.vectors)
    nlp.reader.parts.combiner = HybridCombiner("hybrid", nlp.vectors, EQUAL)
    return nlp


def varied(count: int, seed: int = 0) -> list[tuple[str, str]]:
    """Pairs of sentences, and sentences with two words exchanged."""
    chance = random.Random(seed)
    found = some_sentences(count)
    pairs = list(zip(found, chance.sample(found, len(found)), strict=True))
    for text in found:
        words = text.split()
        one, two = sorted(chance.sample(range(len(words)), 2)) if len(words) > 1 else (0, 0)
        words[one], words[two] = words[two], words[one]
        pairs.append((text, " ".join(words)))
    return [*pairs, *ANSWERS]


# The sum.


def cells(match: RoleMatch) -> tuple[list[str], list[str]]:
    """The cells of a line, without the order, which is that of the first sentence."""
    texts = match.filler1, match.filler2
    first, second = (sorted((text or "").split(", ")) for text in texts)
    return first, second


@pytest.mark.parametrize("weights", ["shipped", "equal"])
def test_lines_add_up_to_scores_that_are_symmetric(
    weights: str, nlp: Pipeline, plain: Pipeline
) -> None:
    model = {"shipped": nlp, "equal": plain}[weights]
    pairs = varied(30)
    explanations = model.explain(pairs, words=False)
    back = model.explain([(two, one) for one, two in pairs], words=False)
    for there, other in zip(explanations, back, strict=True):
        assert math.fsum(m.contribution for m in there.matches) == pytest.approx(
            there.score, abs=1e-12
        )
        assert all(m.contribution == pytest.approx(m.weight * m.similarity) for m in there.matches)
        assert all(m.contribution for m in there.matches[1:])
        assert there.score == other.score
        assert [(*cells(m)[::-1], m.term, m.contribution) for m in other.matches] == [
            (*cells(m), m.term, m.contribution) for m in there.matches
        ]
        inverted = {(a.word2, a.word1, a.similarity, a.token2, a.token1) for a in other.alignment}
        assert inverted == {a[:3] + a[4:] for a in there.alignment}


def test_scores_are_those_of_explanations_to_the_last_bit(plain: Pipeline) -> None:
    pairs = varied(20, seed=1)
    together = [e.score for e in plain.explain(pairs, words=False)]
    assert plain.score(pairs).tolist() == together
    assert [plain.similarity(*pair) for pair in pairs[:12]] == together[:12]
    shuffled = random.Random(2).sample(range(len(pairs)), len(pairs))
    assert plain.score([pairs[i] for i in shuffled]).tolist() == [together[i] for i in shuffled]


@pytest.mark.parametrize("term", CHARGED)
def test_every_kind_is_found_and_costs(term: Kind, plain: Pipeline) -> None:
    pair = next((pair for pair, terms in ANSWERS.items() if term in terms), None)
    assert pair is not None, f"{term} has no pair; give it one in ANSWERS"
    explanation = plain.explain(*pair)
    lines = [m for m in explanation.matches if term in [edit.kind for edit in m.edits]]
    assert lines
    assert all(line.contribution < 0 for line in lines)
    masses = [edit.mass for line in lines for edit in line.edits if edit.kind is term]
    assert explanation.details[term] == pytest.approx(sum(masses))


def test_an_event_is_a_line_and_its_mass_is_used_once(plain: Pipeline) -> None:
    for one, two in (
        ("The dog chased the cat.", "The cat chased the dog."),
        ("A red car passed a blue house.", "A blue car passed a red house."),
        ("A flight from Paris to London.", "A flight from London to Paris."),
        ("He said yes to the plan.", "He did not say yes to the plan."),
    ):
        explanation = plain.explain(one, two)
        assert len(explanation.matches) == 2, str(explanation)
    found = plain.explain("The dog chased the cat.", "The cat chased the dog.").matches[1]
    assert (found.filler1, found.filler2) == (
        "dog (Agent), cat (Patient)",
        "dog (Patient), cat (Agent)",
    )
    assert found.similarity < 1


def test_more_weight_never_raises_a_score(plain: Pipeline) -> None:
    batch = plain.read(varied(15, seed=3))
    before = plain.combiner.scores(batch)
    for term in EQUAL.terms:
        more = replace(EQUAL.terms[term], values=np.array([0.0, 0.5]))
        weighting = Weighting({**EQUAL.terms, term: more})
        after = replace(plain.combiner, constants=weighting).scores(batch)
        assert (after <= before).all(), term


# Identity.


@pytest.mark.parametrize("text", [*ODD, "The old man saw the old dog and the old cat."])
def test_a_sentence_is_like_itself(text: str, plain: Pipeline) -> None:
    explanation = plain.explain(text, text)
    assert (explanation.score, len(explanation.matches)) == (1, 1)
    assert all(pair.relation == "same" for pair in explanation.alignment)


def test_the_same_words_differ_in_nothing(plain: Pipeline) -> None:
    """Found word by word, and not by looking at the text."""
    for text in [*some_sentences(40), *ODD[:8]]:
        (structure,) = plain.parse([text])
        words = read_sentence(structure)
        rows = plain.vectors.embed([words.lemmas[token] for token in words.words])
        alignment = align_words(words, words, (rows @ rows.T).astype(np.float64), lexicon())
        assert differences(words, words, alignment, lexicon()) == Differences(), text


@pytest.mark.parametrize("row", rows(__file__, "the only kinds of edits"))
def test_the_only_kind_of_edits(row: list[str], plain: Pipeline) -> None:
    one, two, *kinds = row
    edits = {edit.kind for match in plain.explain(one, two).matches for edit in match.edits}
    assert edits - {Kind.NEGATION_PARITY} == set(map(Kind, kinds))


def test_rewritten_trees_are_trees(plain: Pipeline) -> None:
    pairs = rows(__file__, "the only kinds of edits")
    texts = [*some_sentences(40), *(text for pair in pairs for text in pair[:2])]
    trees = [parsed.tree for parsed in plain.parse(texts) if isinstance(parsed, RoleStructure)]
    assert len(trees) == len(texts)
    rewritten = [shipped().rewrite(tree.tokens) for tree in trees if tree is not None]
    assert all(is_tree(tree.tokens) for tree in rewritten)
    assert sum(bool(tree.applied) for tree in rewritten) > 30
    circle = [Token("a", "a", "X", 1, "dep", 0, 1), Token("b", "b", "X", 0, "dep", 2, 3)]
    assert not is_tree(circle)


# Structures and vectors of other origin.


def batch_of(*structures: RoleStructure | ParseFailure) -> Batch:
    angles = np.linspace(0, 0.5, len(structures))
    return Batch(
        [one.text for one in structures],
        list(itertools.product(range(len(structures)), repeat=2)),
        list(structures),
        np.stack([np.cos(angles), np.sin(angles)], 1).astype(np.float32),
    )


def test_structures_without_a_tree_and_words_without_a_vector() -> None:
    combiner = HybridCombiner("m", Compass(), EQUAL)
    one = structure(agent="dog", verb="north", patient="tall cat")
    other = structure(agent="tall cat", verb="north", patient="dog")
    batch = batch_of(one, other, structure(agent="dog"))
    found = combiner.explain(batch)
    assert [e.score for e in found] == combiner.scores(batch).tolist()
    assert found[0].score == found[4].score == 1
    swapped = found[1]
    assert sum(swapped.details.get(kind, 0.0) for kind in ROLES) > 0.3
    assert {(a.word1, a.word2) for a in swapped.alignment} >= {("dog", "dog"), ("cat", "cat")}
    assert 0 < swapped.details["coverage"] < 1
    assert swapped.notes == ("no vector for 'dog', 'tall', 'cat': 2 of 8 words have one",)


def test_a_failed_parse_has_no_score() -> None:
    combiner = HybridCombiner("m", Compass(), EQUAL)
    batch = batch_of(structure(agent="dog", verb="ran"), ParseFailure("x", "too windy"))
    scores, explanations = combiner.scores(batch), combiner.explain(batch)
    assert np.isnan(scores).tolist() == [False, True, True, True]
    assert [math.isnan(e.score) for e in explanations] == [False, True, True, True]
    assert explanations[1].notes[-1] == "no parse of 'x': too windy"


def test_bounds_are_never_below_scores(plain: Pipeline) -> None:
    combiner = plain.combiner
    assert isinstance(combiner, HasBounds)
    assert isinstance(combiner, HasScores)
    texts = some_sentences(12)
    batch = plain.read(list(itertools.product(texts, texts)))
    scores = combiner.scores(batch).reshape(len(texts), len(texts))
    rows = np.array([batch.sentences.index(text) for text in texts])
    bounds = combiner.bounds(batch, rows, rows)
    assert (scores <= bounds).all()
    assert (bounds <= 1).all()


# The constants.


def test_the_constants_are_of_terms_that_there_are() -> None:
    assert {*shipped_weighting().terms} <= {*TERMS}
    luck = Curve(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    combiner = HybridCombiner("m", Compass(), Weighting({"luck": luck}))
    with pytest.raises(InputError, match=r"terms that the comparison lacks, got \['luck'\]"):
        combiner.scores(batch_of(structure(verb="ran")))
