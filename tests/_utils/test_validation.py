"""Sentences and everything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem._utils.validation import check_sentences, problem
from hybridsem.errors import HybridSemError, InputError

USABLE = (
    *("Rain.", "x", "?", "\x00a", "do\x00g", " \t padded \n", "🙂", "👩‍👩‍👧", "שלום"),
    *("مرحبا", "日本", "é", "e\u0301", "\u200bz"),
)
BLANK = (
    *("", " ", "\t\n", "\x00", "\x00\x1f \x7f", "\u200b", "\u200d\ufeff", "\u3000\u2028"),
    *("\u2800", "\u3164"),
)
OTHER = {
    "character 0 is a lone surrogate": "\ud800",
    "character 5 is a lone surrogate": "fine \udfff until here",
    "expected a string, got None (NoneType)": None,
    "expected a string, got b'bytes' (bytes)": b"bytes",
    "expected a string, got nan (float)": float("nan"),
}


def test_what_a_sentence_is() -> None:
    assert check_sentences(USABLE) == [*USABLE]
    assert [text for text in BLANK if "empty or blank" not in str(problem(text))] == []
    for why, value in OTHER.items():
        assert str(problem(value)).startswith(why)
    with pytest.raises(InputError, match="sentence 2: the text is empty or blank"):
        check_sentences(["a", "b", " ", None])


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
