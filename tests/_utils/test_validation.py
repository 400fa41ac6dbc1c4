"""Sentences and everything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem._utils.validation import check_sentences, problem
from hybridsem.errors import HybridSemError, InputError


@pytest.mark.parametrize(
    "text",
    [
        *("Rain.", "x", "?", "\x00a", "do\x00g", " \t padded \n", "🙂", "👩‍👩‍👧", "שלום"),
        *("مرحبا", "日本", "é", "e\u0301", "\u200bz"),
    ],
)
def test_usable(text: str) -> None:
    assert problem(text) is None
    assert check_sentences([text]) == [text]


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "\t\n", "\x00", "\x00\x1f \x7f", "\u200b", "\u200d\ufeff", "\u3000\u2028"),
        *("\u2800", "\u3164"),
    ],
)
def test_blank(text: str) -> None:
    assert "empty or blank" in str(problem(text))


@pytest.mark.parametrize("text", ["\ud800", "fine \udfff until here", "🙂\udc80"])
def test_lone_surrogates_are_named_by_their_place(text: str) -> None:
    place = next(at for at, character in enumerate(text) if "\ud800" <= character <= "\udfff")
    assert f"character {place} is a lone surrogate" in str(problem(text))
    str(problem(text)).encode()  # the message itself can be printed


@pytest.mark.parametrize("value", [None, 3, 2.5, b"bytes", ["a list"], float("nan")])
def test_no_string(value: object) -> None:
    message = str(problem(value))
    assert "expected a string" in message
    assert type(value).__name__ in message


def test_the_row_is_named() -> None:
    with pytest.raises(InputError, match="sentence 2: the text is empty or blank"):
        check_sentences(["a", "b", " ", None])


@pytest.mark.parametrize("value", ["one string", b"bytes", None, 7])
def test_no_sequence(value: object) -> None:
    with pytest.raises(InputError, match="expected a sequence of strings, got"):
        check_sentences(value)


@given(st.text(st.characters(codec=None)))
def test_every_string_is_usable_or_has_a_printable_reason(text: str) -> None:
    why = problem(text)
    if why is None:
        text.encode()  # valid Unicode
        assert text.strip()
    else:
        why.encode()
        with pytest.raises(HybridSemError):
            check_sentences([text])
