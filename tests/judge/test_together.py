"""The labels of a pair by its comparison and a pair reader."""

import numpy as np
import pytest
from support.blocks import rows
from support.scorers import FixedReader

from hybridsem import Pipeline
from hybridsem.errors import FormatError
from hybridsem.judge.features import DIRECTED, SYMMETRIC, Observed
from hybridsem.judge.labels import COUNTERPARTS, LABELS, Label
from hybridsem.judge.together import JudgedTogether, excluded, shipped_together
from hybridsem.judge.verdict import FOLLOWING, KINDS, NO_RULE, Rule
from hybridsem.pair_reader import Readings

GENERATOR = np.random.default_rng(0)
Drawn = tuple[Observed, np.ndarray, Readings]


def drawn(n: int = 50) -> Drawn:
    """Features, probabilities by the comparison, and readings of pairs."""
    symmetric = GENERATOR.random((n, len(SYMMETRIC)))
    proven = GENERATOR.integers(-1, len(LABELS), n).tolist()
    rules = [NO_RULE._replace(label=label, least=0.7 * (label >= 0)).row for label in proven]
    features = Observed(symmetric, GENERATOR.random((n, 2, len(DIRECTED))), np.array(rules))
    compared = GENERATOR.dirichlet(np.ones(len(LABELS)), n)
    return features, compared, Readings(*GENERATOR.random((5, n)))


def exchanged(features: Observed, compared: np.ndarray, read: Readings) -> Drawn:
    turned = read._replace(entails=read.entailed, entailed=read.entails)
    rules = [Rule.of_row(row).inverted.row for row in features.rules.tolist()]
    other = Observed(features.symmetric, features.directed[:, ::-1], np.array(rules))
    return other, compared[:, COUNTERPARTS], turned


def test_exchanged_sentences_have_exchanged_labels() -> None:
    pairs = drawn()
    there = shipped_together().probabilities(*pairs)
    back = shipped_together().probabilities(*exchanged(*pairs))
    assert (back == there[:, COUNTERPARTS]).all()
    assert there.sum(axis=1) == pytest.approx(np.ones(len(there)))


def test_a_label_that_a_proof_rules_out_stays_out() -> None:
    features, compared, read = drawn()
    compared[:, 0] = 0.0
    sure = read._replace(entails=np.ones(50), entailed=np.ones(50), paraphrase=np.ones(50))
    found = shipped_together().probabilities(features, compared, sure)[:, 0]
    proven = features.rules[:, len(LABELS)] >= 0
    assert (found[proven] == 0).all()
    assert (found[~proven] > 0).all()


def test_a_proof_by_the_structure_alone_rules_nothing_out() -> None:
    rule = NO_RULE._replace(label=LABELS.index(Label.ENTAILS))
    kinds = [rule._replace(kind=KINDS.index(kind)) for kind in ("structure", "word")]
    rules = [*kinds, kinds[0]._replace(least=0.9)]
    compared = np.tile([0.0, 0.5, 0.0, 0.2, 0.2, 0.1], (3, 1))
    found = excluded(compared, np.array([rule.row for rule in rules]))
    out = [True, False, True]
    assert found[:, : len(FOLLOWING)].tolist() == [[False] * 3, out, out]


def test_a_pair_that_was_not_read_keeps_its_labels() -> None:
    features, compared, read = drawn()
    chances = np.stack(read)
    chances[:, 7] = np.nan
    found = shipped_together().probabilities(features, compared, Readings(*chances))
    assert (found[7] == compared[7]).all()
    assert (found[8] != compared[8]).any()


def test_one_sided_labels_have_one_threshold() -> None:
    thresholds = shipped_together().thresholds
    assert (thresholds[list(COUNTERPARTS)] == thresholds).all()


def test_thresholds_of_another_shape_are_refused() -> None:
    stored = shipped_together().to_dict()
    with pytest.raises(FormatError):
        JudgedTogether.from_dict(stored | {"thresholds": stored["thresholds"][1:]})


@pytest.mark.parametrize(
    ("one", "two", "by"),
    [
        ("The fog kept the ferry in the harbour.", "Owing to mist, the boat stayed.", "reader"),
        ("The fog kept the ferry in the harbour.", "The fog kept no ferry in harbour.", "proof"),
        ("The fog lifted.", "The fog lifted!", "proof"),
    ],
)
def test_a_judgement_states_what_decided(one: str, two: str, by: str) -> None:
    found = Pipeline(pair_reader=FixedReader(0.99)).judge(one, two)
    assert (found.by, found.to_dict()["by"]) == (by, by), found
    unsure = Pipeline(pair_reader=None).judge("Owing to mist, the boat stayed.", "The fog lifted.")
    assert (str(unsure.label), unsure.by) == ("unsure", None)


def test_a_reader_moves_the_judgement() -> None:
    pair = "The fog kept the ferry in the harbour.", "Owing to mist, the boat did not sail."
    same = Pipeline(pair_reader=FixedReader(0.99)).judge(*pair).probabilities
    opposed = Pipeline(pair_reader=FixedReader(0.01)).judge(*pair).probabilities
    assert same[Label.SAME] > opposed[Label.SAME]
    assert opposed[Label.CONTRADICTS] > same[Label.CONTRADICTS]


@pytest.mark.parametrize(("one", "two", "label"), rows(__file__, "labels"))
def test_no_reader_turns_a_proof_into_another_label(
    nlp: Pipeline, one: str, two: str, label: str
) -> None:
    assert nlp.judge(one, two).label in (label, Label.UNSURE)


def test_equal_values_are_read_alike(nlp: Pipeline) -> None:
    pairs = [
        ("The walk is 2 km long.", "The walk is 2,000 metres long."),
        ("It takes 90 minutes.", "The journey takes an hour and a half."),
        ("It takes 90 minutes.", "The journey takes 90 minutes."),
    ]
    for order in (pairs, [(two, one) for one, two in pairs]):
        batch = nlp.reader.batch(order)
        read = nlp.combiner.readings(batch, nlp.combiner.compared(batch))
        assert read.similarity[0] == 1  # nothing else differs
        assert read.similarity[1] == read.similarity[2]
