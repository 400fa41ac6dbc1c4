"""Text that is not English: what is told, and above all what is not."""

import runpy
import unicodedata
from pathlib import Path

import pytest
from support.commands import ROOT
from support.foreign import SENTENCES

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.english.non_english import OTHER_LANGUAGES, PARTICLES
from hybridsem.english.words import STOP_WORDS

ENGLISH = Path(__file__).with_name("english.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("language", SENTENCES)
def test_other_languages_are_told(language: str, encoder: EmbeddedEncoder) -> None:
    assert len(SENTENCES[language]) == 10
    assert sum(encoder.foreign(SENTENCES[language])) >= 8


def test_hardly_a_foreign_sentence_goes_by(encoder: EmbeddedEncoder) -> None:
    told = [flag for texts in SENTENCES.values() for flag in encoder.foreign(texts)]
    assert sum(told) / len(told) > 0.97


@pytest.mark.parametrize("text", ENGLISH)
def test_names_headlines_code_numbers_and_slips_are_not(
    text: str, encoder: EmbeddedEncoder
) -> None:
    assert encoder.foreign([text]) == [False]


def test_a_text_is_told_however_it_is_written(encoder: EmbeddedEncoder) -> None:
    text = "Ma sœur a oublié sa clé à l'école très tôt."
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD")]
    assert encoder.foreign([*forms, f"  {text}\n", text * 1000]) == [True] * 6


def test_the_words_are_of_other_languages_only() -> None:
    assert not OTHER_LANGUAGES & STOP_WORDS
    assert not PARTICLES & STOP_WORDS
    assert all(word == word.lower() for word in OTHER_LANGUAGES)


def test_development_data_is_hardly_ever_told(shared_data: Path) -> None:
    rates = runpy.run_path(str(ROOT / "benchmarks" / "foreign.py"))["false_alarms"](shared_data)
    assert len(rates) >= 6
    for name, (told, texts) in rates.items():
        assert len(told) < 0.001 * texts, (name, told)
