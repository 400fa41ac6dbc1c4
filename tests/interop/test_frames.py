"""Pairs as two columns, and in frames."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hybridsem import Pipeline
from hybridsem.errors import FormatError, InputError
from hybridsem.search.index import Index

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


# Texts in columns, frames and records.


TEXTS = ["The dog chased the cat.", "A man sings.", "The  dog chased the cat."]


@pytest.mark.parametrize("kind", [np.array, "pandas", "polars", "pyarrow"])
def test_a_column_of_texts_is_read_as_a_list(kind: Any, nlp: Pipeline, tmp_path: Path) -> None:
    make = kind
    if isinstance(kind, str):
        library = pytest.importorskip(kind)
        make = library.chunked_array if kind == "pyarrow" else library.Series
    column = make([TEXTS[:2], TEXTS[2:]]) if kind == "pyarrow" else make(TEXTS)
    assert (nlp.encode(column) == nlp.encode(TEXTS)).all()
    assert nlp.parse(column) == nlp.parse(TEXTS)
    assert nlp.truncated(column) == nlp.foreign(column) == [False] * 3
    assert nlp.rank(TEXTS[1], column) == nlp.rank(TEXTS[1], TEXTS)
    assert list(nlp.mine(column)) == list(nlp.mine(TEXTS))
    assert nlp.cluster(column) == nlp.cluster(TEXTS)
    assert nlp.deduplicate(column).kept == (0, 1)
    assert (nlp.similarities(column, column) == nlp.similarities(TEXTS)).all()
    assert [text for _, text in Index.build(column, tmp_path / "index", nlp)] == TEXTS


@pytest.mark.parametrize("kind", ["list", "dict", "pandas", "polars", "pyarrow"])
def test_records_are_deduplicated_by_their_texts(kind: str, nlp: Pipeline) -> None:
    columns = {"id": ["a", "b", "c"], "note": ["x", "y", "z"], "Text": TEXTS}
    data: object = columns
    if kind == "list":
        data = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    elif kind != "dict":
        library = pytest.importorskip(kind)
        data = library.table(columns) if kind == "pyarrow" else library.DataFrame(columns)
    assert nlp.deduplicate(data).kept == (0, 1)
    assert nlp.deduplicate(data, column="note").kept == (0, 1, 2)
    with pytest.raises(InputError, match="no column 'words'; it has 'id', 'note', 'Text'"):
        nlp.deduplicate(data, column="words")
    with pytest.raises(InputError, match="which column has the texts, got 'id', 'note'"):
        nlp.deduplicate([{"id": 1, "note": "x"}])
    with pytest.raises(InputError, match="sentence 1: expected a string, got None"):
        nlp.deduplicate([{"text": "It rains."}, {"note": "x"}])
    with pytest.raises(InputError, match="column= is for records"):
        nlp.deduplicate(TEXTS, column="text")
