"""The hybrid: a cosine less a penalty for each difference."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.generated import some_sentences
from support.roles import structure

from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem.combiners.base import Batch, HasBounds, HasScores
from hybridsem.combiners.comparison.alignment import align_words
from hybridsem.combiners.comparison.constructions import Recast, recast
from hybridsem.combiners.comparison.differences import Differences, differences
from hybridsem.combiners.comparison.reading import read_words
from hybridsem.combiners.hybrid import TERMS, HybridCombiner, shipped_weighting
from hybridsem.combiners.weighting import TermWeight, Weighting
from hybridsem.edits import ROLES, Kind
from hybridsem.english.lexicon import lexicon
from hybridsem.errors import AssetError, InputError
from hybridsem.explanations import RoleMatch
from hybridsem.structures import ParseFailure, RoleStructure, Token

EQUAL = Weighting(tuple(TermWeight(term, (0.0, 1.0), (0.0, 0.1)) for term in Kind))
"""All terms, with one weight."""

TERMS_OF = """
We left before the storm. | We left after the storm. | preposition opposed
He sat near the car. | He sat in the car. | preposition changed
A red car passed a blue house. | A blue car passed a red house. | governors exchanged, others
A red car passed a house. | A car passed a red house. | reattached modifiers
Anna sang and Ben danced. | Ben sang and Anna danced. | order crossed
He asked where she sang. | He asked why she sang. | question words
Tom or Ann will come. | Tom and Ann will come. | coordination
It is not only hot but good. | It is not hot but good. | focus of negation
The man who sings runs. | The man who runs sings. | governors exchanged, others
The dog chased the cat. | The cat chased the dog. | roles exchanged
Hope brings comfort. | Comfort brings hope. | roles exchanged, abstract
The baby tasted the object. | The baby objected to the taste. | roles exchanged, others
The judge nurses her son. | The nurse judges her son. | conversion
The stone of the bridge is old. | The stone bridge is old. | inverted
The nurse opened the door. | The nurse did not open the door. | negation; negation parity
The soup was hot. | The soup was cold. | negation parity; opposite
Turn the light on. | Turn the light off. | opposite
Ten dogs barked. | Twelve dogs barked. | number
A boy slept. | A baby slept. | co-hyponym
A cat slept. | A dog slept. | replaced nouns
She kicked the ball. | She carried the ball. | replaced verbs
We stay because it rains. | We stay although it rains. | connective opposed
You must leave. | You can leave. | modality
Some birds sing. | All birds sing. | quantity
She left. | She left? | question
The destroyer sank. | They destroy ships. | added nouns; conversion; replaced
Anna visited Rome. | Anna visited Berlin. | replaced names
Anna and Ben sang. | Anna sang. | added names
The boy sat and read. | The boy sat. | added verbs
She ran quickly. | She ran away. | added others; replaced others
A talk by Ann about Tom. | A talk by Tom about Ann. | relations exchanged
Paris, France. | France, Paris. | word order
Tom read the book before lunch. | Tom read the book and after that ate. | function words opposed
A big man ran. | A happy man ran. | added adjectives; replaced adjectives
5 won. | Paris won. | replaced
A dog barked. | A dog slept. | main verb
He spoke quickly. | He spoke rapidly. | unlike others
A big man ran. | A large man ran. | unlike adjectives
The cook's boss met Ann's son. | Ann's boss met the cook's son. | governors exchanged
"""
ANSWERS = {
    (one, two): set(terms.split("; "))
    for one, two, terms in (row.split(" | ") for row in TERMS_OF.strip().splitlines())
} | {
    ("A theory of fear and a feeling of proof.", "A feeling of fear and a theory of proof."): {
        "governors exchanged, abstract"
    }
}
"""Pairs, and the terms of each."""

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
    nlp.combiner = HybridCombiner("hybrid", nlp.vectors, EQUAL)
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


def test_an_amount_is_the_sum_of_its_lines(plain: Pipeline) -> None:
    for pair in ANSWERS:
        explanation = plain.explain(*pair)
        of_lines = dict.fromkeys(map(str, Kind), 0.0)
        for edit in itertools.chain(*(match.edits for match in explanation.matches)):
            of_lines[edit.kind] += edit.mass
        for term in Kind:
            assert of_lines[term] == pytest.approx(explanation.details.get(term, 0.0))


@pytest.mark.parametrize("term", Kind)
def test_every_kind_is_found_and_costs(term: Kind, plain: Pipeline) -> None:
    pair = next((pair for pair, terms in ANSWERS.items() if term in terms), None)
    assert pair is not None, f"{term} has no pair; give it one in ANSWERS"
    explanation = plain.explain(*pair)
    assert explanation.details[term] > 0
    lines = [m for m in explanation.matches if term in [edit.kind for edit in m.edits]]
    assert lines
    assert all(line.contribution < 0 for line in lines)


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
    assert isinstance(plain.combiner, HybridCombiner)
    before = plain.combiner.scores(batch)
    for term in EQUAL.terms:
        terms = tuple(
            replace(one, values=(0.0, 0.5)) if one is term else one for one in EQUAL.terms
        )
        after = replace(plain.combiner, constants=Weighting(terms)).scores(batch)
        assert (after <= before).all(), term.name


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
        assert isinstance(structure, RoleStructure)
        words = read_words(structure)
        rows = plain.vectors.embed([words.lemmas[token] for token in words.words])
        alignment = align_words(words, words, (rows @ rows.T).astype(np.float64), lexicon())
        assert differences(words, words, alignment, lexicon()) == Differences(), text


CHARGED = """
The cat is under the table. | The table is under the cat. | governors exchanged
The cat is under the table. | The cat under the table.
The house is near the park. | The park is near the house.
A gift of Ann to Tom came. | A gift of Tom to Ann came. | relations exchanged
Ann's gift to Tom came. | A gift of Ann to Tom came.
Ann sang and Ben danced. | Ben danced and Ann sang.
Ann sang and Ben danced. | Ben sang and Ann danced. | order crossed
Ann plays chess and Ben golf. | Ben plays golf and Ann chess.
Ann wore a hat and Ben a scarf. | Ann wore a scarf and Ben a hat. | order crossed
She sells red apples and green pears. | She sells green pears and red apples.
At least three people came. | At most three people came. | quantity
At least three people came. | No fewer than three people came.
He failed to come. | He did not come.
He managed to come. | He came.
He forgot to lock the door. | He locked the door. | negation
He paid 5 million dollars. | He paid 5,000,000 dollars.
He lent 1.5 million books. | He lent 2.5 million books. | number
Tom is as tall as Ann. | Tom is taller than Ann. | preposition opposed
Tom arrived later than Ann. | Ann arrived earlier than Tom.
Tom arrived later than Ann. | Ann arrived later than Tom. | roles exchanged
Her father's boss sang. | Her boss's father sang. | governors exchanged
All of the boys sang. | All the boys sang.
Ann is older than both of the boys. | Both of the boys are younger than Ann.
The suspect the detective called was calm. | The suspect that the detective called was calm.
We met the boy who saw Ann. | We met the boy whom Ann saw. | relations exchanged
Two dogs slept. | A dog slept. | number
Having eaten, he slept. | Before eating, he slept. | connective opposed
We arrived after the guests left. | The guests left before we arrived.
We arrived after the guests left. | We arrived before the guests left. | connective opposed
It rained, so the match was cancelled. | The match was cancelled because it rained.
The dog ran, so the cat hissed. | The cat hissed, so the dog ran. | governors exchanged, others
The bank is to the left of the church. | The church is to the right of the bank.
The bank stands on the left of the inn. | The inn stands on the right of the bank.
The bank is to the left of the inn. | The inn is to the left of the bank. | governors exchanged
Oslo lies north of Berlin. | Berlin lies south of Oslo.
Oslo lies north of Berlin. | Oslo lies south of Berlin. | preposition opposed
The girl stood behind the tree. | The tree stood in front of the girl.
There is a bakery to the left of the bank. | There is a bank to the right of the bakery.
The mix has less milk than water. | The mix has more water than milk.
It has less milk than tea. | It has less tea than milk. | governors exchanged | reattached modifiers
Trains are more expensive than buses. | Buses are less expensive than trains.
Nina ate more cake than Omar. | Omar ate less cake than Nina.
Nina earns more than Omar. | Omar earns less than Nina.
Anna is not as tall as her brother. | Her brother is taller than Anna.
Anna is not as tall as her brother. | Anna is shorter than her brother.
Anna is taller than her brother. | Her brother is taller than Anna. | roles exchanged
Nina has twice as many books as Omar. | Omar has half as many books as Nina.
Our team lost to theirs. | Their team beat ours.
My dog bit his. | His dog was bitten by mine.
My dog bit his. | His dog bit mine. | roles exchanged
Ann and Bo ate cod and ham respectively. | Bo and Ann ate ham and cod respectively.
Ann and Bo ate cod and ham respectively. | Bo and Ann ate cod and ham respectively. | order crossed
He ordered soup, not salad. | He ordered salad, not soup. | order crossed
Ann called the clerk, not the cook. | Ann called the cook, not the clerk. | order crossed
It was not Ann but Ben who left. | It was not Ben but Ann who left. | order crossed
He gave up the job. | He quit the job. | main verb
She turned down the offer. | She accepted the offer. | opposite | main verb
She looked up to him. | She looked down on him. | opposite
Ann runs faster than Ben. | Ann runs slower than Ben. | opposite
Neither Ann nor Ben came. | Ann or Ben did not come.
They all passed. | All of them passed.
He ordered soup rather than salad. | He ordered soup instead of salad.
Only Vera read the report. | Vera only read the report. | reattached modifiers
The horse is not dead. | The horse is alive.
The shop is not open. | The shop is closed.
The clerk did not reject the form. | The clerk accepted the form.
No guest left. | Every guest stayed.
Nobody trusted the guide. | Everyone distrusted the guide.
Everyone was awake. | No one was asleep.
The gate is never open. | The gate is always closed.
Some guests left. | No guest stayed. | quantity
Not every guest left. | Every guest stayed. | quantity
All guests left. | No guest left. | quantity | negation
The shop is open. | The shop is closed. | opposite
You need not open the door. | You do not have to open the door.
You must not open the door. | You may not open the door.
You must not open the door. | You need not open the door. | modality
"""
"""Pairs, and the kind of their only edits, if any."""
RELATIVE = (
    "The suspect the detective called was calm.",
    "The suspect who called the detective was calm.",
    "relations exchanged",
)


@pytest.mark.parametrize("row", [*CHARGED.strip().splitlines(), " | ".join(RELATIVE)])
def test_the_only_kind_of_edits(row: str, plain: Pipeline) -> None:
    one, two, *kinds = row.split(" | ")
    edits = {edit.kind for match in plain.explain(one, two).matches for edit in match.edits}
    assert edits - {Kind.NEGATION_PARITY} == set(map(Kind, kinds))


def test_rewritten_trees_are_trees(plain: Pipeline) -> None:
    rows = [row.split(" | ") for row in CHARGED.strip().splitlines()]
    texts = [*some_sentences(40), *(text for one, two, *_ in rows for text in (one, two))]
    trees = [parsed.tree for parsed in plain.parse(texts) if isinstance(parsed, RoleStructure)]
    assert len(trees) == len(texts)
    rewritten = [recast(tree.tokens) for tree in trees if tree is not None]
    assert all(one.is_tree() for one in rewritten)
    assert sum(tuple(one.tokens) not in {tree.tokens for tree in trees} for one in rewritten) > 30
    circle = [Token("a", "a", "X", 1, "dep", 0, 1), Token("b", "b", "X", 0, "dep", 2, 3)]
    assert not Recast(circle).is_tree()


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("We left before the storm.", "We left after the storm."),
        ("He flew from Paris.", "He flew to Paris."),
        ("She drinks tea with milk.", "She drinks tea without milk."),
        ("We stay if it rains.", "We stay unless it rains."),
        ("Turn the light on.", "Turn the light off."),
    ],
)
def test_opposed_function_words_are_never_shown_as_the_same(
    one: str, two: str, nlp: Pipeline
) -> None:
    explanation = nlp.explain(one, two)
    assert explanation.score < explanation.details["cosine"] - 0.05
    assert any(word in str(explanation) for word in ("opposed", "opposite", "negated"))
    opposed = set(one.lower().strip(".").split()) ^ set(two.lower().strip(".").split())
    assert not [a for a in explanation.alignment if {a.word1, a.word2} == opposed]


# Odd input.


@pytest.mark.parametrize(("one", "two"), list(itertools.pairwise(ODD)))
def test_odd_sentences_have_scores(one: str, two: str, plain: Pipeline) -> None:
    explanation = plain.explain(one, two)
    assert -1 <= explanation.score <= 1
    assert explanation.score == plain.similarity(two, one)
    assert math.fsum(m.contribution for m in explanation.matches) == pytest.approx(
        explanation.score, abs=1e-12
    )


@settings(max_examples=25)
@given(st.text(st.characters(codec="utf-8"), min_size=1).filter(lambda text: text.strip()))
def test_any_text_has_a_score(plain: Pipeline, text: str) -> None:
    with contextlib.suppress(InputError):
        assert -1 <= plain.similarity(text, "The dog chased a cat.") <= 1


# Structures and vectors of other origin.


class Letters:
    """Vectors of words that have an e, by their letters; of others there is none."""

    def embed(self, words: Sequence[str]) -> Float32Array:
        rows = np.array([[word.count(letter) for letter in "abcdefgh"] for word in words])
        rows = rows * (rows[:, 4:5] > 0)
        return rows.astype(np.float32).reshape(len(words), 8)


def batch_of(*structures: RoleStructure | ParseFailure) -> Batch:
    angles = np.linspace(0, 0.5, len(structures))
    return Batch(
        [one.text for one in structures],
        list(itertools.product(range(len(structures)), repeat=2)),
        list(structures),
        np.stack([np.cos(angles), np.sin(angles)], 1).astype(np.float32),
    )


def test_structures_without_a_tree_and_words_without_a_vector() -> None:
    combiner = HybridCombiner("m", Letters(), EQUAL)
    one = structure(agent="dog", verb="chased", patient="tall cat")
    other = structure(agent="tall cat", verb="chased", patient="dog")
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
    combiner = HybridCombiner("m", Letters(), EQUAL)
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
    assert {term.name for term in shipped_weighting().terms} <= {*TERMS}
    combiner = HybridCombiner(
        "m", Letters(), Weighting((TermWeight("luck", (0.0, 1.0), (0.0, 1.0)),))
    )
    with pytest.raises(InputError, match=r"terms that the comparison lacks, got \['luck'\]"):
        combiner.scores(batch_of(structure(verb="ran")))


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"terms": 3}', json.dumps({}).encode()])
def test_damaged_constants_are_an_asset_error(
    content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hybridsem.combiners.hybrid.weight_file", lambda name: content)
    with pytest.raises(AssetError, match=r"comparison.json is damaged"):
        shipped_weighting.__wrapped__()
