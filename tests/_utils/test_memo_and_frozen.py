"""Quick caches and constructors give what the plain ones give."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import pytest

from hybridsem._utils.frozen import maker
from hybridsem._utils.memo import Memo
from hybridsem.structures import Predicate


def test_a_value_is_made_once_and_all_are_forgotten_at_the_size() -> None:
    asked: list[str] = []
    known = Memo[str, int](lambda word: asked.append(word) or len(word), 2)
    assert [known[word] for word in ("a", "be", "a", "see", "a")] == [1, 2, 1, 3, 1]
    assert asked == ["a", "be", "see", "a"]


def test_objects_from_columns_are_those_of_the_class() -> None:
    columns = ([0, 2], ["be", "see"], [None, "see.01"], [(), ()], [1.0, 0.5])
    made = maker(Predicate)(*columns)
    assert made == [Predicate(*row) for row in zip(*columns, strict=True)]
    assert {type(each) for each in made} == {Predicate}
    assert pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(FrozenInstanceError):
        made[0].lemma = "have"  # type: ignore[misc]
