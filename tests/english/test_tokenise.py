"""Words as UD English EWT cuts them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem.english.tokenise import detokenise, tokenise
from hybridsem.parsers.trees.conllu import read_conllu


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in tokenise(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The kettle boiled.", "The kettle boiled ."),
        ("Don't; we can't, he won't.", "Do n't ; we ca n't , he wo n't ."),
        ("I'm sure they've seen Ann's boat.", "I 'm sure they 've seen Ann 's boat ."),
        ("cannot gonna", "can not gon na"),
        ("Mr. Reed met Dr. Voss at 5 p.m. today.", "Mr. Reed met Dr. Voss at 5 p.m. today ."),
        ("It cost $3.50, or 1,200 in all", "It cost $ 3.50 , or 1,200 in all"),
        ("for $1.65bn, 2,000lb or 1.5th", "for $ 1.65 bn , 2,000 lb or 1.5th"),
        ("at 10:30 on the 3rd", "at 10:30 on the 3rd"),
        ("write to ann.b@mail.example.org today", "write to ann.b@mail.example.org today"),
        ("wait... what?!", "wait ... what ?!"),
        ("ok :-) <3", "ok :-) <3"),
        ("O'Brien's hat", "O'Brien 's hat"),
        ("我 ♥ 🙂🙂", "我 ♥ 🙂 🙂"),
        ("שלום, עולם", "שלום , עולם"),
        ("we ❤️ a 👩‍🚀 👍🏽!", "we ❤️ a 👩‍🚀 👍🏽 !"),
        ("the cafe\u0301's", "the cafe\u0301 's"),
    ],
)
def test_words(text: str, expected: str) -> None:
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


@pytest.mark.parametrize(
    ("tokens", "written"),
    [
        ("He did n't go , did he ?", "He didn't go, did he?"),
        ("the ship 's crew ; they 're here", "the ship's crew; they're here"),
        (
            "the girls ' choir ( founded 1902 -- 03 ) sang",
            "the girls' choir (founded 1902–03) sang",
        ),
        ("-LRB- left -RRB- and [ right ]", "(left) and [right]"),
        ("won 3 : 1 on 1 / 2 of the days", "won 3:1 on 1/2 of the days"),
        ("US $ 40 or 12 % of it", "US $40 or 12% of it"),
        ("I can not say ...", "I cannot say..."),
        ("written, as it isn't tokenised.", "written, as it isn't tokenised."),
        ("", ""),
    ],
)
def test_treebank_tokens(tokens: str, written: str) -> None:
    assert detokenise(tokens) == written


@given(st.text(max_size=60))
def test_any_text_loses_blanks_alone(text: str) -> None:
    written = detokenise(text)
    assert detokenise(text) == written
    letters = [character for character in text if character.isalnum()]
    brackets = ("LRB", "RRB", "LSB", "RSB", "LCB", "RCB")
    if not any(name in text for name in brackets):
        assert [character for character in written if character.isalnum()] == letters
