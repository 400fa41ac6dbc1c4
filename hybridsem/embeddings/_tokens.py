"""Where a tokenizer's tokens stand in a text, and a vector as the sum of what they add."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem.embeddings.splitting import SplitVector

Places = list[tuple[int, int] | None]
"""The (start, end) of each token in the text; None of a mark, or of what is in the prompt."""


def token_places(
    tokenizer: Any, prompt: str, texts: list[str], limit: int | None
) -> list[Places] | None:
    """Where the tokens of each text stand in it; None for a tokenizer that does not tell.

    Args:
        tokenizer: The model's.
        prompt: What is put before every text.
        texts: The texts.
        limit: How many tokens are read of each.
    """
    if not tokenizer.is_fast:
        return None
    cut = {"truncation": True, "max_length": limit} if limit else {}
    tokens = tokenizer(
        [prompt + text for text in texts],
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
        verbose=False,
        **cut,
    )
    skip = len(prompt)
    return [
        [
            None if mark or end <= skip else (max(start - skip, 0), end - skip)
            for (start, end), mark in zip(offsets, marks, strict=True)
        ]
        for offsets, marks in zip(
            tokens["offset_mapping"], tokens["special_tokens_mask"], strict=True
        )
    ]


def split_by_tokens(vector: Float32Array, parts: Float32Array, places: Places) -> SplitVector:
    """A vector as the sum of what its tokens add, (t, d), by where they stand."""
    inside = np.array([place is not None for place in places])
    offsets = [place for place in places if place is not None]
    return SplitVector(vector, parts[inside], parts[~inside].sum(0), offsets)
