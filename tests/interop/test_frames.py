"""``df.hybridsem`` of pandas and polars, and pairs as two columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hybridsem import Pipeline
from hybridsem.errors import FormatError, InputError

FIRST = ["The dog chased the cat.", "A man sings."]
SECOND = ["The cat chased the dog.", "A man is singing."]


@pytest.fixture(params=["pandas", "polars"])
def frame(request: pytest.FixtureRequest) -> Any:
    """Two columns of text and one of numbers."""
    library = pytest.importorskip(request.param)
    __import__(f"hybridsem.interop.{request.param}")
    return library.DataFrame({"left": FIRST, "right": SECOND, "gold": [0.2, 0.9]})


def test_columns_are_scored(frame: Any, nlp: Pipeline) -> None:
    expected = nlp.score(list(zip(FIRST, SECOND, strict=True)))
    found = frame.hybridsem.score("left", "right", model=nlp)
    assert type(found).__module__.startswith(type(frame).__module__.partition(".")[0])
    assert found.name == "score"
    assert found.to_list() == expected.tolist()
    assert frame[["left", "right"]].hybridsem.score(model=nlp).to_list() == expected.tolist()
    with pytest.raises(FormatError, match="cannot determine which columns"):
        frame.hybridsem.score(model=nlp)
    with pytest.raises(FormatError, match="no column 'middle'"):
        frame.hybridsem.score("left", "middle", model=nlp)


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
    numbers = pandas.DataFrame([("A man sings.", 1.5)], columns=list(names))
    with pytest.raises(FormatError, match="cannot determine which columns"):
        nlp.score(numbers)


def test_a_row_without_a_score(frame: Any, nlp: Pipeline) -> None:
    texts = type(frame)({"a": [*FIRST, None], "b": [*SECOND, "It rains."]})
    with pytest.raises(InputError, match="pair 2: sentence 1: expected a string"):
        texts.hybridsem.score(model=nlp)
    found = texts.hybridsem.score(model=nlp, on_error="skip").to_list()
    assert found[2] is None or np.isnan(found[2])
    assert found[:2] == nlp.score(FIRST, SECOND).tolist()


def test_columns_are_judged(frame: Any) -> None:
    found = frame.hybridsem.judge("left", "right")
    assert list(found.columns) == ["label", "probability", "reasons"]
    nlp = Pipeline()
    judged = [nlp.judge(one, two) for one, two in zip(FIRST, SECOND, strict=True)]
    assert found["label"].to_list() == [str(one.label) for one in judged]
    assert found["probability"].to_list() == [one.probability for one in judged]
    assert "exchanged their roles" in found["reasons"].to_list()[0]


def test_pandas_keeps_its_index(nlp: Pipeline) -> None:
    pandas = pytest.importorskip("pandas")
    import hybridsem.interop.pandas

    assert hybridsem.interop.pandas
    frame = pandas.DataFrame({"a": FIRST, "b": SECOND}, index=["x", "y"])
    frame["similarity"] = frame[::-1].hybridsem.score(model=nlp)
    assert frame["similarity"].to_list() == nlp.score(FIRST, SECOND).tolist()


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


def test_two_columns_need_no_names(nlp: Pipeline) -> None:
    expected = nlp.score(FIRST, SECOND)
    assert (nlp.score({"left": FIRST, "right": SECOND}) == expected).all()
    with pytest.raises(FormatError, match="cannot determine which columns"):
        nlp.score({"left": FIRST, "gold": [0.2, 0.9]})
    with pytest.raises(FormatError, match="cannot determine which columns"):
        nlp.score({"left": FIRST, "right": SECOND, "third": SECOND})
