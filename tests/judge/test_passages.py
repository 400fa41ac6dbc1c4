"""The label of texts of several sentences, by those of their aligned sentences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem import Pipeline
from hybridsem.judge.labels import COUNTERPARTS, LABELS, Label
from hybridsem.judge.passages import Pairs, of_texts

ONE = "Ann left on Monday. Bob brought a cake to the party. It was a good evening."
DENIED = "Ann left on Monday. Bob brought no cake to the party. It was a good evening."
SHORTER = "Ann left on Monday. It was a good evening."
REWORDED = "On Monday Ann went home early. A cake was taken to the party by Bob. All enjoyed that."
OTHER = "Prices fell in March. The river froze."


@pytest.fixture(scope="module", params=[None, "embedded"])
def nlp(request: pytest.FixtureRequest) -> Pipeline:
    return Pipeline(pair_reader=request.param)


@pytest.mark.parametrize(
    ("one", "two", "label"),
    [
        (ONE, DENIED, Label.CONTRADICTS),
        (ONE, SHORTER, Label.ENTAILS),
        (SHORTER, ONE, Label.ENTAILED),
        (ONE, "It was a good evening. Ann left on Monday.", Label.ENTAILS),
        (SHORTER, "It was a good evening. Ann left on Monday.", Label.SAME),
        (ONE, ONE, Label.SAME),
    ],
)
def test_labels_of_texts(nlp: Pipeline, one: str, two: str, label: Label) -> None:
    assert nlp.judge(one, two).label is label


def test_exchanging_texts_exchanges_labels_exactly(nlp: Pipeline) -> None:
    texts = [ONE, DENIED, SHORTER, REWORDED, OTHER, "Bob brought a cake to the party."]
    pairs = [(one, two) for one in texts for two in texts]
    for (one, two), found in zip(pairs, nlp.judge(pairs), strict=True):
        back = nlp.judge(two, one)
        assert back.score == found.score == nlp.similarity(one, two)
        assert sum(found.probabilities.values()) == pytest.approx(1)
        shares = [*found.probabilities.values()]
        assert [*back.probabilities.values()] == [shares[place] for place in COUNTERPARTS]
        assert (back.label, found.label)[found.label is None] is not None
        places = [LABELS.index(one.label) for one in (found, back) if one.label in LABELS]
        assert not places or COUNTERPARTS[places[0]] == places[1]


def test_reasons_name_the_sentences(nlp: Pipeline) -> None:
    assert nlp.judge(ONE, SHORTER).reasons == ("Sentence 2 of text 1 has no counterpart.",)
    first = nlp.judge(ONE, DENIED).reasons[0]
    assert first.endswith("(Sentence 2.)")
    assert (
        of_texts('Sentence 2 denies "open".', 1, 2) == 'Text 2 denies "open". (Sentences 1 and 2.)'
    )
    assert of_texts("Only sentence 1 is a question.", 3, 4).startswith("Only text 1 is a question.")


shares = st.lists(st.floats(0.01, 1), min_size=len(LABELS), max_size=len(LABELS))


@given(st.lists(shares, min_size=1, max_size=5), st.data())
def test_joined_probabilities_add_up_and_follow_the_pairs(
    rows: list[list[float]], data: st.DataObject
) -> None:
    probabilities = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    count = len(rows)
    marks = [data.draw(st.sampled_from([(1, 1), (1, 0), (0, 1)])) for _ in rows]
    best1, best2 = np.array(marks, bool).T
    rest = np.array(data.draw(st.lists(st.floats(0, 1), min_size=count, max_size=count)))
    replaced = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    pairs = Pairs([Label.UNSURE] * count, probabilities, best1, best2, rest, replaced)
    joined = pairs.joined()
    assert joined.sum() == pytest.approx(1)
    assert (joined >= 0).all()
    place = LABELS.index(Label.CONTRADICTS)
    own = probabilities[best1 & best2, place]
    assert joined[place] >= own.max(initial=0) - 1e-12
    turned = probabilities[:, list(COUNTERPARTS)]
    back = Pairs([Label.UNSURE] * count, turned, best2, best1, rest, replaced).joined()
    assert back.tolist() == joined[list(COUNTERPARTS)].tolist()


def test_nothing_is_the_same_while_a_pair_is_open() -> None:
    row = np.eye(len(LABELS))[[LABELS.index(Label.SAME)] * 2]
    both = np.ones(2, bool)
    labels = Label.SAME, Label.UNSURE
    pairs = Pairs(labels, row, both, both, np.ones(2), ~both)
    assert pairs.label(pairs.joined(), 0.8) is Label.UNSURE
    assert pairs.label(pairs.joined(), 0.0) is not Label.SAME
