"""Perturbations: what each does to small texts, what holds for any text, and the command."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.commands import Run

from hybridsem.errors import InputError
from hybridsem.evaluation.perturbations import (
    EXACT,
    INSERTIONS,
    PERTURBATIONS,
    REMOVALS,
    RETRIEVAL,
    SEMANTIC,
    SUPERFICIAL,
    characters_of,
    insertion,
    perturbation,
    removal,
    words,
)
from hybridsem.tokenisers import tokeniser

NEGATIONS = Path(__file__).with_name("negations.txt").read_text(encoding="utf-8")
TEN = "one two three four five six seven eight nine ten"


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        ("digits", "Please read a lot, Eve", "Pl34s3 r34d 4 l0t, Ev3"),
        ("digits", "café, cafe\u0301, ï", "c4fé, c4fe\u0301, ï"),  # written either way, é stays é
        ("deletion", "0123456789 1234567890", "012345678 123456780"),
        ("deletion", "12345678 a b", "12345678 a b"),  # a word of one character is not lost
        ("deletion", "12345678ne\u0301x", "12345678nx"),  # with its accent it is one character
        ("uppercase", "ßßßßßßßß", "ßßßßßßßß"),  # SS would be two letters
        ("sentence-shuffle", "One. Two.", "Two. One."),
        ("sentence-shuffle", "Dr. Ng sings.", "Dr. Ng sings."),
        ("word-shuffle", "one  two\n", "two  one\n"),
        ("word-shuffle", "今天", "天今"),
        ("removal-50-start", TEN, "six seven eight nine ten"),
        ("removal-50-middle", TEN, "one two three nine ten"),
        ("removal-50-end", TEN, "one two three four five"),
        ("removal-90-end", "two words", "two"),
        ("removal-90-end", "alone", "alone"),
        ("removal-50-end", "今天很好", "今天"),
        ("removal-50-middle", "ab今天cd", "ab cd"),  # which are two words still
    ],
)
def test_small_texts(name: str, text: str, changed: str) -> None:
    assert PERTURBATIONS[name](text) == changed


@pytest.mark.parametrize("row", NEGATIONS.splitlines())
def test_negation_is_toggled_sentence_by_sentence(row: str) -> None:
    text, changed = row.split(" | ")
    assert PERTURBATIONS["negation"](text) == changed


ANY_TEXT = st.text(max_size=200)
NAMES = st.sampled_from(list(PERTURBATIONS))


@given(NAMES, ANY_TEXT, st.integers(0, 5))
@example("insertion-50-middle", "half a pair \ud800 is no text", 0)
def test_the_same_text_and_seed_give_the_same(name: str, text: str, seed: int) -> None:
    change = perturbation(name)
    changed = change(text, seed)
    assert perturbation(name)(text, seed) == changed
    if not text.split():
        assert changed == text
    if text.isprintable():
        changed.encode()  # still valid Unicode


@given(ANY_TEXT, st.sampled_from(["word-shuffle", "sentence-shuffle"]))
def test_a_shuffle_loses_nothing(text: str, name: str) -> None:
    changed = PERTURBATIONS[name](text)
    assert sorted(c for c in changed if not c.isspace()) == sorted(
        c for c in text if not c.isspace()
    )
    if len({text[start:end] for start, end in words(text)}) == len(words(text)) > 1:
        assert PERTURBATIONS["word-shuffle"](text) != text


def test_filler_is_as_long_as_its_share_of_the_tokens_and_begins_anew() -> None:
    add = insertion(0.5, 0.5, filler="blah foo")
    assert add(TEN) == "one two three four five blah foo blah foo blah six seven eight nine ten"
    assert insertion(1, 1, filler="a b").name == "insertion-100-end"
    assert insertion(1, 1, filler="a b")("x y z.") == "x y z. a b a b"  # the full stop is a token
    assert insertion(1, 0, filler="a b c d")(" x y ") == " a b x y "
    assert insertion(0.15, 0.5, filler="a")("今天") == "今 a 天"
    own = PERTURBATIONS["insertion-100-start"](TEN)
    assert own.endswith(" " + TEN)
    assert own == PERTURBATIONS["insertion-100-start"](TEN, seed=7)


def test_exact_filler_stands_at_a_character_and_has_so_many_tokens() -> None:
    add = insertion(0.5, 0.5, filler="blah foo", exact=True)
    half = len(TEN) // 2
    assert add(TEN)[:half] + add(TEN)[-(len(TEN) - half) :] == TEN
    ids, _ = tokeniser("wordpiece")([add(TEN)[half : -(len(TEN) - half)]])
    assert len(ids) == 5  # of ten, in the middle of the word "five"
    assert add.name == "insertion-50-middle-exact"
    assert insertion(0.15, 0, filler="a b", exact=True)("x") == "ax"  # one token at least
    assert insertion(1, 1, filler="a b", exact=True)("x y z.") == "x y z.a b a b"
    assert add(" ") == " "


def test_exact_removals_are_of_tokens() -> None:
    take = removal(0.5, 0.5, exact=True)
    assert take("snowshoes are here.") == "snowhere."  # snow|sho|es| are| here|.
    assert removal(0.15, 0, exact=True)("two words") == "two words"  # rounded down to none
    assert removal(0.9, 1, exact=True)(TEN) == "one "  # nothing of what is left is lost
    assert EXACT[INSERTIONS[0]].share == INSERTIONS[0].share
    assert {one.name for one in EXACT.values()} <= PERTURBATIONS.keys()
    assert not any(one.exact for one in RETRIEVAL)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: insertion(0, 0.5), "share is above 0 and below 100, got 0"),
        (lambda: removal(1, 0.5), "share is above 0 and below 1, got 1"),
        (lambda: removal(0.5, 2), "position is from 0"),
        (lambda: insertion(0.5, 0.5, filler=" \n"), "at least one word"),
        (lambda: PERTURBATIONS["digits"](b"text"), "expected a string, got b'text'"),
    ],
)
def test_what_cannot_be_used(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(InputError, match=message):
        make()


def test_characters_are_what_readers_see() -> None:
    flag = "\U0001f3f4\U000e0067\U000e0062\U000e007f"
    letters = ("e\u0301", "\u1112\u1161\u11ab", "한\u11a8", "ทำ", "ب\u200c", "\u0915\u094d")
    for text in (*letters, flag, "👩🏽", "👩‍👩‍👧", "🇫🇷"):
        assert characters_of(text) == [text], unicodedata.name(text[0])
    assert characters_of("🇫🇷🇩🇪a") == ["🇫🇷", "🇩🇪", "a"]
    assert characters_of(" \u0301") == [" ", "\u0301"]  # a blank carries nothing


@pytest.mark.parametrize(
    "text",
    [f"a{' ' * 20_000}b", "e" + "\u0301" * 20_000, "no " * 10_000, ".'" * 10_000, "今" * 20_000],
)
def test_huge_texts_take_no_longer_than_they_are(text: str) -> None:
    """In time that grows with the square of the length this would not come to an end."""
    for change in (*SUPERFICIAL, *SEMANTIC, INSERTIONS[0], REMOVALS[0]):
        assert change(text).strip()


# -- the command


def test_lines_and_json_lines(run: Run) -> None:
    Path("texts.txt").write_bytes(b"\xef\xbb\xbfOne is up.\r\n\r\nLate\n")
    assert run("perturb texts.txt --kind digits") == (0, "On3 1s up.\n\nL4t3\n", "")
    first, *_ = run("perturb texts.txt --kind negation --seed 3 --json").objects
    about = {"kind": "negation", "seed": 3}
    assert first == {"text": "One is up.", **about, "changed": "One is not up."}
    Path("texts.jsonl").write_text(
        '{"id": 1, "text": "One \\ud800 two."}\n\n{"text": "é", "x": null}\n', encoding="utf-8"
    )
    assert run("perturb texts.jsonl --kind word-shuffle -o changed.jsonl").code == 0
    first, blank, last = Path("changed.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(first)["text"].split()) == ["One", "two.", "\ud800"]
    assert (blank, last) == ("", '{"text": "é", "x": null}')


def test_one_text_and_a_filler_of_ones_own(run: Run) -> None:
    Path("text.txt").write_text("One.\nTwo.\n", encoding="utf-8")
    Path("filler.txt").write_text("so\nwhat", encoding="utf-8")
    assert run("perturb text.txt --whole -k sentence-shuffle").out == "Two.\nOne.\n"
    filled = run("perturb text.txt --whole -k insertion-50-end --filler filler.txt").out
    assert filled == "One.\nTwo. so what\n"
