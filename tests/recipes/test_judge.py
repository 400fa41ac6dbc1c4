"""The recipe of the judge: labels that pairs may have, folds that do not leak, a network that
learns what is told in part.
"""

from pathlib import Path

import numpy as np
import pytest

from hybridsem.judge.features import DIRECTED, SYMMETRIC, Observed
from hybridsem.judge.labels import LABELS, Label
from models import held_out
from models.judge.data import Learned, Part, part, unseen
from models.judge.learn import Settings, calibration_error, fit, three_ways

N = 400


def made_up() -> tuple[Observed, Learned]:
    """Pairs of which the directed features decide between entailment and its reverse, though it is
    never said that a pair is "same".
    """
    random = np.random.default_rng(0)
    symmetric = random.normal(size=(N, len(SYMMETRIC)))
    symmetric[:, SYMMETRIC.index("number")] = 0  # no number stands for another
    directed = random.normal(size=(N, 2, len(DIRECTED)))
    follows = directed[:, 0, 0] < directed[:, 1, 0]
    allowed = np.zeros((N, len(LABELS)), bool)
    allowed[:, LABELS.index(Label.SAME)] = True
    allowed[follows, LABELS.index(Label.ENTAILS)] = True
    allowed[~follows] = [label == Label.DIFFERS for label in LABELS]
    pairs = [(f"a {i}", f"b {i}") for i in range(N)]
    gold = np.where(follows, 0, 1)
    return (
        Observed(symmetric, directed),
        Learned(pairs, allowed, gold, np.ones(N), ["made up"] * N, np.arange(N)),
    )


def test_what_is_told_in_part_is_learned() -> None:
    features, data = made_up()
    judge = fit(features, data, Settings(hidden=4, members=1, epochs=30, batch=50, l2=1e-4))
    three = three_ways(judge.probabilities(features))
    assert (three.argmax(1) == data.gold).mean() > 0.8
    assert calibration_error(three, data.gold) < 0.15


def test_what_is_held_out_is_not_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_out, "test_sets", lambda data: {"SICK test": [("A cow.", "B.")]})
    allowed = np.ones((4, len(LABELS)), bool)
    pairs = [("A dog.", "A cat."), ("A cat", "a dog"), ("A dog.", "A bird."), ("A cow", "C")]
    held = [("a dog", "A cat!")]
    for name, other, left in (
        ("SICK train", "SICK trial", [2, 3]),
        ("SICK train", "SNLI dev, 2nd part", [3]),
        ("made up", "SICK trial", []),
        ("made up", "SNLI dev, 2nd part", []),
    ):
        mine = Part(name, pairs, allowed, np.zeros(4, int))
        theirs = Part(other, held, allowed[:1], np.zeros(1, int))
        assert unseen(mine, [theirs], Path()).tolist() == left


def test_the_parts_of_a_set_share_no_sentence(shared_data: Path) -> None:
    for name in ("SNLI dev", "PAWS-Wiki dev"):
        sides = [
            {text for pair in part(f"{name}, {which} part", shared_data).pairs for text in pair}
            for which in ("1st", "2nd")
        ]
        shared = len(sides[0] & sides[1])
        # SNLI's hypotheses recur ("A man is outside"); its premises do not.
        assert shared == 0 if name.startswith("PAWS") else shared < 150
