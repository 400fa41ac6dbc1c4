"""No recipe learns from a row that shares a sentence with a test set."""

from pathlib import Path

import pytest

from hybridsem.datasets.splits import words_of
from hybridsem.tables import read_pairs
from models import held_out
from models.hybrid.data import Development, development
from models.judge.data import LEARNED_FROM, part, unseen
from models.role_encoder.sentences import kept, sources

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def words(request: pytest.FixtureRequest) -> dict[str, frozenset[str]]:
    data: Path = request.getfixturevalue("shared_data")
    sets = held_out.test_sets(data)
    return {name: frozenset(words_of(t) for p in test for t in p) for name, test in sets.items()}


@pytest.fixture(scope="module")
def data(request: pytest.FixtureRequest) -> Development:
    return development(request.getfixturevalue("shared_data"))


def of_others(words: dict[str, frozenset[str]], name: str) -> frozenset[str]:
    """The sentences that a set must not hold."""
    own = "SICK test" if name.startswith("SICK") else ""
    return frozenset().union(*(found for test, found in words.items() if test != own))


def test_the_comparison(data: Development, words: dict[str, frozenset[str]]) -> None:
    for task in data.tasks:
        found = {words_of(t) for row in task.rows.ravel().tolist() for t in data.pairs[row]}
        assert found.isdisjoint(of_others(words, task.name)), task.name


def test_the_judge(shared_data: Path, words: dict[str, frozenset[str]]) -> None:
    for name in LEARNED_FROM:
        one = part(name, shared_data)
        found = {words_of(t) for r in unseen(one, [], shared_data) for t in one.pairs[r]}
        assert found.isdisjoint(of_others(words, name)), name


def test_the_encoder_of_roles(
    shared_data: Path, data: Development, words: dict[str, frozenset[str]]
) -> None:
    assert kept(shared_data, data) >= of_others(words, "")
    found = {words_of(text) for _, text in sources(shared_data, data)}
    assert found.isdisjoint(of_others(words, ""))


def test_what_stsb_holds_of_mrpcs_test(shared_data: Path) -> None:
    stsb = read_pairs(shared_data / "sts/stsb-en-train.csv")
    rows = held_out.usable("STSb train", [(one.text1, one.text2) for one in stsb], shared_data)
    # Of MSRpar's 1,000 rows those are left that MRPC's training set has, too.
    assert 400 < sum(2450 <= row < 3450 for row in rows) <= 474
    assert len(held_out.test_sets(shared_data)["MRPC test"]) > 600
