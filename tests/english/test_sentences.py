"""Where sentences end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem.english.sentences import sentences


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
