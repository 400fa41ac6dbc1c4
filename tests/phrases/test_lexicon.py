"""Relations of phrases."""

from pathlib import Path

import pytest

from hybridsem.errors import FormatError, InputError
from hybridsem.phrases import Meaning, PhraseLexicon

LEXICON = PhraseLexicon.standard()


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("call off", "cancel", "equivalent"),
        ("take decision", "decide", "equivalent"),
        ("in spite of", "despite", "equivalent"),
        ("ASAP", "as soon as possible", "equivalent"),
        ("app", "application", "equivalent"),
        ("turn off", "switch on", "opposite"),
        ("have surgery", "operate on", "converse"),
        ("murder", "assassinate", "more general"),
        ("assassinate", "murder", "more specific"),
    ],
)
def test_meaning(first: str, second: str, relation: str) -> None:
    """The relation of the first to the second, from a source that was read."""
    meaning = LEXICON.meaning(first, second)
    assert meaning is not None
    assert meaning.relation == relation
    assert meaning.precision >= 0.9


@pytest.mark.parametrize(
    ("first", "second"),
    [("give up", "give in"), ("take off", "take on"), ("call off", "snow"), ("", "")],
)
def test_unrelated(first: str, second: str) -> None:
    """Phrases that look alike."""
    assert LEXICON.meaning(first, second) is None


def test_category() -> None:
    """A category restricts the rows."""
    assert LEXICON.meaning("call off", "cancel", "v") is not None
    assert LEXICON.meaning("call off", "cancel", "n") is None
    assert "cancel" in LEXICON.equivalents("call off", "v")


def test_user_rows(tmp_path: Path) -> None:
    """Rows of a user's file come first; the lexicon itself is unchanged."""
    path = tmp_path / "mine.tsv"
    path.write_text("PTO\tholiday\n\nAcme Cloud\tserver\tmore specific\n", encoding="utf-8")
    mine = LEXICON.extended(path)
    assert mine.meaning("PTO", "holiday") == Meaning("equivalent", "mine.tsv", 1.0)
    assert mine.meaning("server", "acme cloud") == Meaning("more general", "mine.tsv", 1.0)
    assert LEXICON.meaning("PTO", "holiday") is None
    (phrase,) = mine.phrases(["my", "pto"], ["my", "PTO"], ["PRON", "NOUN"], [1, -1])
    assert (phrase.key, phrase.category) == ("PTO", "n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\tb\n\nalone\n", "line 3: expected a phrase, a tab and its meaning"),
        ("a\tb\tsame\n", "line 1: unknown relation 'same'; write one of 'equivalent'"),
        ("a\tb\topposite\tmore\n", "line 1: expected a phrase"),
    ],
)
def test_faulty_rows(tmp_path: Path, content: str, message: str) -> None:
    """The message names the line, and what to write."""
    path = tmp_path / "mine.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        LEXICON.extended(path)


def test_missing_file(tmp_path: Path) -> None:
    """A file that cannot be read."""
    with pytest.raises(InputError, match="cannot be read"):
        LEXICON.extended(tmp_path / "none.tsv")
