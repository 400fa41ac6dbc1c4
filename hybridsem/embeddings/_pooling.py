"""Token vectors to a sentence vector: (n, t, d) and a mask (n, t) of real tokens to (n, d), on
torch tensors.

The mask's ones come first (padding is on the right). Every token counts that the model reads,
special ones too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def _mean(states: Any, mask: Any) -> Any:
    return (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)


def _mean_sqrt(states: Any, mask: Any) -> Any:
    return (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).sqrt()


def _weighted_mean(states: Any, mask: Any) -> Any:
    return _mean(states, mask * mask.cumsum(1))


def _max(states: Any, mask: Any) -> Any:
    return states.masked_fill(mask[..., None] == 0, float("-inf")).amax(1)


def _last(states: Any, mask: Any) -> Any:
    return states[list(range(len(states))), (mask.sum(1) - 1).long()]


POOLINGS: Mapping[str, Callable[[Any, Any], Any]] = {
    "mean": _mean,
    "mean-sqrt": _mean_sqrt,  # the sum over the root of the length: AVG in Zhu & de Melo 2020
    "weighted-mean": _weighted_mean,  # by position, 1, 2, …: SGPT (Muennighoff 2022)
    "max": _max,
    "last": _last,
}
"""Poolings over all tokens; those of the CLS token need the tokenizer or a dense layer."""
