"""The classical metrics on strings as models (SAGE, appendix A.7)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hybridsem.registry.spec import ModelSpec, without_roles

if TYPE_CHECKING:
    from hybridsem.strings import StringCombiner

__all__ = ["MODELS"]


def _combiner(name: str, _: Any) -> StringCombiner:
    from hybridsem.strings import StringCombiner

    return StringCombiner(name, name)


_TOKENS = "embedded; extra metrics and the download tiktoken-cl100k for OpenAI's tokens"
MODELS = tuple(
    ModelSpec(
        name,
        summary,
        needs,
        "Apache-2.0",
        reference,
        without_roles(name, partial(_combiner, name)),
        rows=(row,),
    )
    for name, summary, needs, reference, row in (
        (
            "levenshtein",
            "ratio of characters in the longest common subsequence",
            "extra metrics",
            "Levenshtein 1966",
            "SAGE: Levenshtein Ratio",
        ),
        (
            "jaccard",
            "share of distinct tokens in common",
            _TOKENS,
            "Jaccard 1901",
            "SAGE: Jaccard Similarity",
        ),
        ("rouge", "mean of ROUGE-1 and ROUGE-2 F", _TOKENS, "Lin 2004", "SAGE: ROUGE"),
        (
            "bm25",
            "BM25+ both ways, as a share of both texts' own scores",
            _TOKENS,
            "Lv & Zhai 2011",
            "SAGE: BM25",
        ),
    )
)
