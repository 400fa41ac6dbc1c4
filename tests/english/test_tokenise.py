"""Where sentences end, and words as UD English EWT cuts them."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.blocks import cases

from hybridsem.english.sentences import sentences
from hybridsem.english.tokenise import detokenise, tokenise
from hybridsem.parsers.trees.conllu import read_conllu


@pytest.mark.parametrize(
    "parts",
    [
        ["One.", "Two!", "Three?"],
        ["Dr. Ng left at 3 p.m. on Monday.", "Why?"],
        ["He works for Acme Inc. in Ohio.", "The U.S. market fell."],
        ["J. R. Smith wrote it.", "I did not."],
        ["SEC. 3.", "Congress finds:"],
        ['"Are you sure?" she asked.', '"Yes."'],
        ["It grew by 3.5 percent ... or so they say.", "(They lie.)"],
        ["A title\n\n", "The first line\nof a paragraph."],
        ["今天很好。", "我不喜欢它！", "Why?"],
        ["वह गया।", "वह खुश था॥", "هل عاد؟", "وہ گیا۔", "نعم."],
        ["no mark at the end"],
    ],
)
def test_sentences(parts: list[str]) -> None:
    text = " ".join(parts)
    assert [text[start:end] for start, end in sentences(text)] == [part.strip() for part in parts]


@given(st.text(max_size=200))
def test_every_visible_character_is_in_one_sentence(text: str) -> None:
    spans = sentences(text)
    assert [span for span in spans if not text[slice(*span)].strip()] == []
    ends = [0, *(end for _, end in spans)]
    assert all(before <= start < end for before, (start, end) in zip(ends, spans, strict=False))
    outside = "".join(
        text[start:end]
        for start, end in zip(ends, [*(start for start, _ in spans), len(text)], strict=True)
    )
    assert not any(character.isalnum() for character in outside)


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in tokenise(text)]


@pytest.mark.parametrize("lines", cases(__file__, "tokens.txt")[:1])
def test_words(lines: list[str]) -> None:
    for text, expected in (line.split(" => ") for line in lines):
        assert words(text) == expected.split()


def test_nothing_to_see() -> None:
    assert words("") == words(" \n\t") == words("\x00\x1f\u200b") == []


TEXT = st.one_of(
    st.text(),
    st.text(st.sampled_from("aZ9'’.-_@#/:, \n\x00🙂éע$&n't")),
    st.lists(st.sampled_from(["can't", "Mr.", "U.S.", "5km", "co-op", ":)", " "])).map("".join),
)


@given(TEXT)
def test_every_visible_character_is_in_one_word(text: str) -> None:
    spans = tokenise(text)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    covered = {at for start, end in spans for at in range(start, end)}
    assert {at for at, c in enumerate(text) if c.isprintable() and not c.isspace()} <= covered
    assert not any(text[at].isspace() for at in covered)


def test_ewt(shared_data: Path) -> None:
    right = gold = found = 0
    for tree in read_conllu(shared_data / "ud-ewt" / "test.conllu"):
        expected = {(token.start, token.end) for token in tree}
        spans = set(tokenise(tree.text))
        right, gold, found = right + len(expected & spans), gold + len(expected), found + len(spans)
    assert 2 * right / (gold + found) > 0.98


@pytest.mark.parametrize("lines", cases(__file__, "tokens.txt")[1:])
def test_treebank_tokens(lines: list[str]) -> None:
    for tokens, written in (line.split(" => ") for line in lines):
        assert detokenise(tokens) == written
    assert detokenise("") == ""


@given(st.text(max_size=60))
def test_any_text_loses_blanks_alone(text: str) -> None:
    written = detokenise(text)
    assert detokenise(text) == written
    letters = [character for character in text if character.isalnum()]
    brackets = ("LRB", "RRB", "LSB", "RSB", "LCB", "RCB")
    if not any(name in text for name in brackets):
        assert [character for character in written if character.isalnum()] == letters
