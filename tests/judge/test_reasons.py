"""The reasons for a label, word for word, whatever label the network finds most probable."""

from __future__ import annotations

import pytest
from support.blocks import cases

from hybridsem import Pipeline
from hybridsem.judge import Label
from hybridsem.judge.derivation import derivations
from hybridsem.judge.reasons import reasons


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return Pipeline()


@pytest.mark.parametrize("lines", cases(__file__, "reasons.txt"))
def test_reasons_are_true_and_quote_the_texts(nlp: Pipeline, lines: list[str]) -> None:
    label, *rows = lines
    pairs = [row.split(" | ") for row in rows]
    batch = nlp._batch([(one, two) for one, two, _ in pairs])
    compared = nlp.combiner.compared(batch)  # type: ignore[attr-defined]
    for row, pair, one, made in zip(
        rows, batch.pairs, compared, derivations(batch, compared), strict=True
    ):
        derived = made if one.first == pair[0] else made.inverted  # type: ignore[union-attr]
        one = one.in_order(pair)
        found = reasons(Label(label), one, derived, one.spellers(batch, pair))
        expected = row.split(" | ")[2]
        assert " ".join(found) == expected, row
