"""Any text has a symmetric score in [-1, 1], or an error of the tree."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hostile import EVIL, INJECTIONS, METHODS, Bench, check_page, check_text, sets

from hybridsem import Pipeline
from hybridsem.errors import HybridSemError

PIECES = (
    *("dog", "not", "n't", "'s", "-", "(", '"', "\\", "::", "1,000", "1" * 310),
    *("e\u0301", "\u200d"),
)
ODD = (
    *("\0", "\ud800", "\u202e", "\U0001f600", "\U000e0041", "。", "\t", "\x85", "/ :x"),
    "http://a.b/",
)
SAVED = (
    *("1" * 310, "(" * 300, "a" * 5000, "not " * 200, "\u0301", "A. B. C.", "'" * 100),
    "\u115f a",
)

texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(PIECES + ODD), max_size=30).map(" ".join),
    st.lists(st.sampled_from(PIECES + ODD), max_size=30).map("".join),
)


def check(pipeline: Pipeline, one: str, two: str) -> None:
    try:
        score = pipeline.similarity(one, two)
    except HybridSemError:
        return
    assert math.isnan(score) or -1 <= score <= 1
    assert score == pytest.approx(pipeline.similarity(two, one), abs=0, nan_ok=True)


@pytest.mark.parametrize("model", ["hybrid", "verbnet-cn", "amr-cn", "amr-wlk", "mean-cn"])
def test_any_text_has_a_score_or_a_typed_error(model: str) -> None:
    pipeline = Pipeline(model=model)

    @settings(max_examples=15)
    @given(texts, texts)
    def pair(one: str, two: str) -> None:
        check(pipeline, one, two)

    pair()
    for text in SAVED:
        check(pipeline, text, "A dog barked.")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("hostile"))


@pytest.mark.parametrize("method", METHODS)
def test_hostile_texts_through_every_method_and_page(method: str, bench: Bench) -> None:
    attacks = [f"The dog chased {attack}." for attack in ("a \x1b[31mred cat", *INJECTIONS[:9:4])]
    METHODS[method](bench, [*sets(seed=1, size=3), *attacks])


def test_what_is_let_in_is_found() -> None:
    for page in (f"<p>{INJECTIONS[1]}", f"<p {EVIL}='1'>", f"<script>{EVIL}</script>"):
        with pytest.raises(AssertionError):
            check_page(page)
    check_page(f"<p title='javascript:{EVIL}'>&lt;{EVIL}&gt; {EVIL}")
    with pytest.raises(AssertionError):
        check_text("red\x1b[31m")
