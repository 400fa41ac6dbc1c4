"""What a semantic cache may serve again: by the guard; in LangChain it is a recipe of the docs."""

from pathlib import Path

import numpy as np
import pytest

from hybridsem import Pipeline
from hybridsem.errors import InputError
from hybridsem.interop.cache_guard import THRESHOLD, CacheGuard

ASKED = "Who sued the newspaper?"
TO_ROME = "How do I fly from Oslo to Rome?"
TO_OSLO = "How do I fly from Rome to Oslo?"


@pytest.fixture(scope="module")
def guard(nlp: Pipeline) -> CacheGuard:
    """With the parts that ship: the judge refuses others."""
    return CacheGuard()


def test_the_same_words_with_another_meaning_are_not_served(guard: CacheGuard) -> None:
    cosine = float(np.prod(guard.pipeline.encode([TO_ROME, TO_OSLO]), axis=0).sum())
    assert cosine > 0.95  # what a cache without a guard would serve
    verdict = guard.check(TO_OSLO, [TO_ROME, "What is the capital of Italy?"])
    assert not verdict.serve
    assert verdict.index == 0
    assert verdict.probability < THRESHOLD
    assert "Rome" in verdict.reason
    assert verdict.judgement is not None


@pytest.mark.parametrize(
    ("question", "double"),
    [
        ("Can I take 10 tablets?", "Can I take 2 tablets?"),
        ("Is the shop open on Sunday?", "Is the shop closed on Sunday?"),
        ("Which foods may dogs eat?", "Which foods may dogs not eat?"),
        ("Did the bank sue the newspaper?", "Did the newspaper sue the bank?"),
    ],
)
def test_doubles(question: str, double: str, guard: CacheGuard) -> None:
    verdict = guard.check(question, [double])
    assert not verdict.serve
    assert verdict.reason
    assert guard.check(double, [question]).probability == pytest.approx(verdict.probability)


def test_the_same_question_is_served(guard: CacheGuard) -> None:
    verdict = guard.check(TO_ROME, [TO_OSLO, TO_ROME])
    assert (verdict.serve, verdict.index, verdict.reason) == (True, 1, "the same words")
    other = "Did the bank sue the newspaper?"
    verdict = guard.check("Was the newspaper sued by the bank?", [TO_ROME, other])
    assert verdict.serve
    assert verdict.index == 1
    assert verdict.reason.startswith("the same (")


def test_only_the_nearest_are_judged(guard: CacheGuard) -> None:
    cached = ["It rains.", " ", TO_ROME, "Dogs bark."]
    vectors = guard.pipeline.encode([text if text.strip() else "x" for text in cached])
    narrow = CacheGuard(guard.pipeline, nearest=1)
    verdict = narrow.check(TO_OSLO, cached, vectors)
    assert verdict.index == 2
    assert verdict.probability == guard.check(TO_OSLO, [TO_ROME]).probability


def test_what_was_not_read_whole_is_not_served(guard: CacheGuard) -> None:
    long = "Why is the sky blue? " * 100
    verdict = guard.check(long + "Why?", [long])
    assert not verdict.serve
    assert "longer than the encoder reads" in verdict.reason
    verdict = guard.check("犬が猫を追いかけた。", ["猫が犬を追いかけた。"])
    assert not verdict.serve
    assert "not English" in verdict.reason


def test_nothing_cached(guard: CacheGuard) -> None:
    verdict = guard.check(ASKED, [])
    assert (verdict.serve, verdict.index, verdict.reason) == (False, None, "nothing is cached")
    with pytest.raises(InputError, match="the question: the text is empty"):
        guard.check(" ", [ASKED])


def test_thresholds(guard: CacheGuard) -> None:
    pair = "Was the newspaper sued by the bank?", ["Did the bank sue the newspaper?"]
    found = guard.check(*pair)
    verdict = CacheGuard(guard.pipeline, threshold=0.9999).check(*pair)
    assert not verdict.serve
    assert verdict.probability == found.probability
    assert verdict.reason.startswith(f"the same with {found.probability:.0%} of 100% wanted")
    for wrong in (0, 1.5):
        with pytest.raises(InputError, match="threshold must be"):
            CacheGuard(guard.pipeline, threshold=wrong)
    with pytest.raises(InputError, match="nearest"):
        CacheGuard(guard.pipeline, nearest=0)


def test_a_calibration_decides(guard: CacheGuard, tmp_path: Path) -> None:
    from hybridsem._utils.predictors import Logistic
    from hybridsem.calibration.model import SCORE, Calibration

    path = tmp_path / "mine.json"
    curve = Logistic(np.array([10.0]), -5.0)
    settings = guard.pipeline.settings
    Calibration(pipeline=settings, of=SCORE, model=curve, threshold=0.05).save(path)
    nlp = Pipeline(calibration=path)
    verdict = CacheGuard(nlp).check(TO_OSLO, [TO_ROME])
    assert verdict.probability == nlp.decide(TO_OSLO, TO_ROME).probability
    assert verdict.serve == (verdict.probability >= 0.05)
    assert verdict.serve != guard.check(TO_OSLO, [TO_ROME]).serve
