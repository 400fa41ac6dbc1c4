"""Texts that the word pieces cannot hold: what they are read as, and that no two of them are read
alike.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem import Pipeline
from hybridsem.embeddings.embedded import LONG, EmbeddedEncoder
from hybridsem.strings import METRICS
from hybridsem.tokenisers import Speller

EMBEDDED = EmbeddedEncoder()


@pytest.fixture(scope="module")
def speller(encoder: EmbeddedEncoder) -> Speller:
    return encoder._speller


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I ran🐶home", "I ran dog face home"),
        ("🇫🇷 1️⃣", "f r 1combiningenclosingkeycap"),
        ("𝐇𝐞𝐥𝐥𝐨 Ｗｏｒｌｄ", "Hello World"),
        ("①½㎏", "11⁄2kg"),
        ("दिन कुत्ता क्‍ष", "दिन kautaviramataaa kaviramassa"),
        ("세계 한국", "segye 한국"),
        ("x≠y", "x not equal to y"),
        ("\ue000", "e000"),
        ("a" * 101, " ".join(["a" * 32] * 3 + ["a" * 5])),
    ],
)
def test_read_by_form(speller: Speller, text: str, expected: str) -> None:
    assert " ".join("".join(speller.forms(text)).split()) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The dog's “café”, naïve — ok…",
        "Łódź 20 °C ½ ™ → ♥",
        "Việt Nam, Ελλάδα, Йод",
        "שָׁלוֹם كِتاب",
        "H\ufffdrault",
        "co\u00adop\u200d",
        "[MASK]",
        "a" * 100,
    ],
)
def test_what_is_read_stays_as_it_is(speller: Speller, encoder: EmbeddedEncoder, text: str) -> None:
    assert "".join(speller.forms(text)) == text
    np.testing.assert_array_equal(encoder.encode([text]), encoder.encode([f" {text}\n"]))


@given(st.text(max_size=60))
def test_any_text_becomes_text_that_the_word_pieces_hold(text: str) -> None:
    speller = EMBEDDED._speller
    text = text.encode("utf-8", "replace").decode()
    forms = speller.forms(text)
    assert len(forms) == len(text)
    assert speller.unknown not in speller.pieces("".join(forms))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The 🐶 ran.", "The 🐱 ran."),
        ("I love you🐶", "I love you🐱"),
        ("🇺🇸 won", "🇫🇷 won"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f won", "\U0001f3f4 won"),
        ("龘", "鱻"),
        ("दिन", "दुन"),
        ("สุนัขวิ่ง", "แมวนอน"),
        ("الكلب يجري", "القط ينام"),
        ("x ≠ y", "x = y"),
        ("Ⅳ", "Ⅷ"),
        ("x \ue000", "x \ue001"),
        ("a" * 150, "b" * 150),
    ],
)
def test_different_texts_are_not_the_same(
    pipelines: dict[str, Pipeline], one: str, two: str
) -> None:
    for model in ("hybrid", "embedded"):
        assert pipelines[model].similarity(one, two) < 0.999
        assert pipelines[model].similarity(two, two) == 1
    for name in ("jaccard", "rouge", "bm25"):
        same, other = METRICS[name]([one, two], "wordpiece").pairs([0, 0], [0, 1])
        assert (same, other < 1) == (1, True), name


@pytest.mark.parametrize(
    "text",
    ["word " * 200_000, "a" * 1_000_000, "我恨" * 500_000, "\x01" * 10_000 + "a", "🐶" * 9_000],
)
def test_a_very_long_text_is_read_as_far_as_the_encoder_reads(
    encoder: EmbeddedEncoder, text: str
) -> None:
    start = text[: LONG - 2]  # a whole number of words
    assert encoder.too_long([text]) == [text[-1] != "a" or len(text) > 100_000]
    if "\x01" in text:
        start = "a"
    np.testing.assert_array_equal(encoder.encode([text]), encoder.encode([start]))
