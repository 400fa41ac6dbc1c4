"""A cache for words."""

from __future__ import annotations

from hybridsem._utils.memo import Memo


def test_a_value_is_made_once_and_all_are_forgotten_at_the_size() -> None:
    asked: list[str] = []
    known = Memo[str, int](lambda word: asked.append(word) or len(word), 2)
    assert [known[word] for word in ("a", "be", "a", "see", "a")] == [1, 2, 1, 3, 1]
    assert asked == ["a", "be", "see", "a"]
