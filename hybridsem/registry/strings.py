"""The classical metrics on strings as models (SAGE, appendix A.7)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hybridsem.registry.spec import declared, without_roles

if TYPE_CHECKING:
    from hybridsem.strings import StringCombiner


def _combiner(name: str, _: Any) -> StringCombiner:
    from hybridsem.strings import StringCombiner

    return StringCombiner(name, name)


MODELS = tuple(
    declared(name, without_roles(name, partial(_combiner, name)))
    for name in ("levenshtein", "jaccard", "rouge", "bm25")
)
