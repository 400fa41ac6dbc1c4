"""Tokens of the Penn Treebank joined as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem.english.tokenise import detokenise


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


@given(st.sampled_from(["`` ", "( ", " - ", " 's", "3 -- ", "[ ", "' "]), st.integers(1, 3000))
def test_long_runs_take_no_time_to_speak_of(piece: str, times: int) -> None:
    assert detokenise(piece * times) is not None
