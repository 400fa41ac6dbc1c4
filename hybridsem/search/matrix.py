"""All pairs of two lists of sentences: a matrix of scores, each distinct pair scored once."""

from __future__ import annotations

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.progress import in_chunks
from hybridsem._utils.validation import usable_texts
from hybridsem.reader import CHUNK, Reader


def similarities(
    reader: Reader, first: list[object], second: list[object], on_error: str, progress: bool
) -> Float64Array:
    """Implement :meth:`hybridsem.Pipeline.similarities`, with its arguments."""
    rows, row_numbers = usable_texts(first, "sentence", on_error)
    columns, column_numbers = usable_texts(second, "sentence", on_error)
    place = {text: at for at, text in enumerate(dict.fromkeys([*rows, *columns]))}
    texts = [*place]
    at_rows, at_columns = (
        np.array([place[text] for text in side], np.int64) for side in (rows, columns)
    )
    # Scores are symmetric, so a pair has one key in either order.
    low, high = np.minimum.outer(at_rows, at_columns), np.maximum.outer(at_rows, at_columns)
    keys, inverse = np.unique(low * len(texts) + high, return_inverse=True)
    pairs = [(texts[key // len(texts)], texts[key % len(texts)]) for key in keys.tolist()]
    own, parts = reader.for_call(), [np.empty(0)]
    for chunk in in_chunks(pairs, CHUNK, "Scoring", progress):
        parts.append(own.scores(chunk))
    scores = np.concatenate(parts)[inverse.reshape(low.shape)]
    if on_error == "fail" and np.isnan(scores).any():
        row, column = np.argwhere(np.isnan(scores))[0].tolist()
        raise own.failure(
            (rows[row], columns[column]), f"sentences {row} and {column}: ", (row, column)
        )
    table = np.full((len(first), len(second)), np.nan)
    table[np.ix_(row_numbers, column_numbers)] = scores
    return table
