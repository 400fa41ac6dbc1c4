"""Frames of whole sentences by construction: the share that is right, and some that must be."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from hybridsem import Pipeline
from hybridsem.structures import Frame

FLOORS = {"a": 0.93, "b": 0.85}
"""The least share of right frames by half."""

RIGHT = """
Bob gave Ann flowers yesterday in Paris.
He seems to have lied.
To err is human.
What he said annoyed me.
She is eager to please.
He is easy to please.
John promised Mary to win.
John persuaded Mary to leave.
The book that the girl who won the prize wrote became famous.
Not all students passed.
She hardly spoke.
""".strip().split("\n")
"""Sentences of which all frames must be right."""


class Sentence(NamedTuple):
    """A sentence with the frames that it should have."""

    construction: str
    half: str
    text: str
    frames: list[str]


def read_sentences() -> list[Sentence]:
    """Return the sentences of ``frames.txt``."""
    found: list[Sentence] = []
    construction = half = ""
    for line in Path(__file__).with_name("frames.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            construction, _, half = line.removeprefix("# ").partition(", ")
        elif line.startswith("  "):
            found[-1].frames.append(line.strip())
        elif line and not line.startswith("##"):
            found.append(Sentence(construction, half, line, []))
    return found


def written(predicate: str, negated: bool, roles: dict[str, str]) -> str:
    """Return a frame as in the file, with its roles in a fixed order."""
    phrases = (f"{role} {phrase}" for role, phrase in sorted(roles.items()))
    return f"{predicate}{' not' if negated else ''}: {' | '.join(phrases)}"


def of_frame(frame: Frame) -> str:
    """Return a frame that was read, without its Verb and without quotation marks."""
    fillers = ((str(role), filler.text) for role, filler in frame.fillers.items())
    phrases = {r: text.replace('"', "").strip(" ,.!?") for r, text in fillers if r != "Verb"}
    return written(frame.predicate, frame.negated, phrases)


def of_line(line: str) -> str:
    """Return a frame of the file, with its roles in a fixed order."""
    name, _, roles = line.partition(": ")
    pairs = (role.split(" ", 1) for role in roles.split(" | "))
    return written(name.removesuffix(" not"), name.endswith(" not"), dict(pairs))


@cache
def checked() -> list[tuple[Sentence, list[str]]]:
    """Return the sentences, each with its expected frames that were not read."""
    sentences = read_sentences()
    found = []
    parses = Pipeline(model="hybrid").parse([each.text for each in sentences])
    for sentence, parse in zip(sentences, parses, strict=True):
        read = [of_frame(frame) for frame in parse.frames]
        found.append((sentence, [line for line in sentence.frames if of_line(line) not in read]))
    return found


@pytest.mark.parametrize("half", FLOORS)
def test_share_of_right_frames(half: str) -> None:
    rows = [row for row in checked() if row[0].half == half]
    expected = sum(len(sentence.frames) for sentence, _ in rows)
    wrong = sum(len(missing) for _, missing in rows)
    assert expected > 130
    assert 1 - wrong / expected >= FLOORS[half]


@pytest.mark.parametrize("text", RIGHT)
def test_frames_that_must_be_right(text: str) -> None:
    assert [missing for sentence, missing in checked() if sentence.text == text] == [[]]
