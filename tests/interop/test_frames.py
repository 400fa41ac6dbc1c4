"""Pairs as two columns, and in frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hybridsem import Pipeline
from hybridsem.errors import FormatError, InputError

FIRST = ["The dog chased the cat.", "A man sings."]
SECOND = ["The cat chased the dog.", "A man is singing."]


@pytest.mark.parametrize("names", [(0, 1), ("x", "y")])
def test_two_columns_of_text_need_no_names(nlp: Pipeline, names: tuple[Any, Any]) -> None:
    pandas = pytest.importorskip("pandas")
    expected = nlp.score(FIRST, SECOND).tolist()
    frame = pandas.DataFrame(list(zip(FIRST, SECOND, strict=True)), columns=list(names))
    assert nlp.score(frame).tolist() == expected
    assert nlp.score(dict(zip(names, (FIRST, SECOND), strict=True))).tolist() == expected
    for missing in (None, float("nan"), pandas.NA):
        gaps = pandas.DataFrame([(missing, "It rains."), *frame.to_numpy().tolist()])
        found = nlp.score(gaps.set_axis(list(names), axis=1), on_error="skip").tolist()
        assert np.isnan(found[0])
        assert found[1:] == expected
    one, other = names
    for others in ({other: [0.2, 0.9]}, {other: SECOND, "third": SECOND}):
        for table in ({one: FIRST, **others}, pandas.DataFrame({one: FIRST, **others})):
            with pytest.raises(FormatError, match="cannot determine which columns"):
                nlp.score(table)


@pytest.mark.parametrize("kind", [list, tuple, np.array, "pandas", "polars", "pyarrow"])
def test_two_columns_are_pairs(kind: Any, nlp: Pipeline) -> None:
    make = kind
    if isinstance(kind, str):
        library = pytest.importorskip(kind)
        make = library.array if kind == "pyarrow" else library.Series
    expected = nlp.score(list(zip(FIRST, SECOND, strict=True)))
    assert (nlp.score(make(FIRST), make(SECOND)) == expected).all()


@pytest.mark.parametrize(
    ("others", "options", "message"),
    [
        (SECOND[:1], {}, "one length, got 2 and 1"),
        (SECOND[0], {}, r"sentence 1: expected a string, got \[.*two columns"),
        (7, {}, "the second is 7"),
        ([SECOND[0], ""], {}, "pair 1: sentence 2: the text is empty"),
        (SECOND, {"columns": ("a", "b")}, "columns= is for a table"),
    ],
)
def test_two_columns_that_are_none(
    others: Any, options: dict[str, Any], message: str, nlp: Pipeline
) -> None:
    with pytest.raises(InputError, match=message):
        nlp.score(FIRST, others, **options)
