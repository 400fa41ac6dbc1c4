"""A cache by identity."""

from dataclasses import dataclass
from weakref import ref

from hybridsem._utils.latest import keep_latest


@dataclass
class Text:
    words: str


def test_results_are_kept_for_the_latest_objects_while_they_live() -> None:
    made: list[str] = []

    def read(text: Text) -> list[str]:
        made.append(text.words)
        return text.words.split()

    keeps = keep_latest(read, 2)
    one, two, three = Text("a b"), Text("c"), Text("d")
    assert [keeps(text) for text in (one, two, one, three, two)] == [
        ["a", "b"],
        ["c"],
        ["a", "b"],
        ["d"],
        ["c"],
    ]
    assert made == ["a b", "c", "d"]
    keeps(one)
    assert made[3:] == ["a b"], "the first was no longer kept"
    seen = ref(one)
    del one
    assert seen() is None
