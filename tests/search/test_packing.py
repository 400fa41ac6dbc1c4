"""What is compared of a sentence comes back from its bytes as it was."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from support.generated import structures

from hybridsem import Pipeline
from hybridsem.comparison.reading import read_sentence
from hybridsem.comparison.sentence import Sentence
from hybridsem.search.storage import Outline, Vocabulary, pack, unpack
from hybridsem.search.vectors import VECTORS, Vectors, append_records, records
from hybridsem.structures import RoleStructure

SENTENCES = [
    "The newspaper was sued by the bank, wasn't it?",
    "Three men did not buy 20 cars in front of the house unless they turned off 1.5 lights.",
    "No man could possibly have given her every book about Paris and London.",
    ". . .",
    "word " * 300,
    "It cost 3 million dollars in May 2021, and 20 % more than in 1999.",
    "😀 \x00 é—ß ﬁ",
]


def same(one: Sentence, two: Sentence) -> None:
    for field in filter(lambda each: each.compare, fields(Sentence)):
        first, second = getattr(one, field.name), getattr(two, field.name)
        if field.name == "weights":
            assert first.tolist() == second.tolist()
        else:
            assert first == second, field.name


def outlined(one: Sentence, two: Outline) -> None:
    names = ("words", "forms", "lemmas", "tags", "places", "position", "word_lemmas", "word_tags")
    for name in (*names, "word_weights"):
        assert getattr(one, name) == getattr(two, name), name
    assert [*one.negations] == [*two.negations]


def test_sentences_come_back() -> None:
    found = Pipeline().parse(SENTENCES)
    read = [read_sentence(one) for one in found if isinstance(one, RoleStructure)]
    assert len(read) >= 4
    read.append(replace(read[0], weights=read[0].weights * 2, function_words=frozenset({"x"})))
    vocabulary, again = Vocabulary(), Vocabulary()
    packed = [pack(one, vocabulary) for one in read]
    again.extend(vocabulary.take())
    for one, content in zip(read, packed, strict=True):
        same(one, unpack(content, again))
        outlined(one, Outline(content, again))


@settings(max_examples=30)
@given(structures())
def test_any_structure_comes_back(structure: RoleStructure) -> None:
    vocabulary = Vocabulary()
    words = read_sentence(structure)
    packed = pack(words, vocabulary)
    same(unpack(packed, vocabulary), words)
    outlined(words, Outline(packed, vocabulary))


@pytest.mark.parametrize("precision", ["int8", "float16", "float32"])
def test_products_are_off_by_the_error_at_most(precision: str, tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    rows: Any = draw.normal(size=(300, 48)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[7] = 0
    append_records(tmp_path / VECTORS, 0, records(rows, precision))
    blocks = [*Vectors(tmp_path / VECTORS, 300, 48, precision).products(rows[:20])]
    found, errors = (np.concatenate([block[at] for block in blocks]) for at in (1, 2))
    off = np.abs(found - rows.astype(np.float64) @ rows[:20].T.astype(np.float64))
    assert (off <= errors[:, None] + 1e-6).all()
    assert errors.max() < {"int8": 0.03, "float16": 1e-3, "float32": 1e-9}[precision]
