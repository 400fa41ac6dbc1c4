"""The named models: ``named.toml`` describes each, a table here builds it.

The named encoders of the literature are rows of ``presets.toml``, each a model too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hybridsem._utils.tables import read_table
from hybridsem.combiners.alignment import PAIRINGS, VERBNET_WEIGHTS, Normalise
from hybridsem.combiners.base import Combiner
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.combiners.sentence import PairCombiner
from hybridsem.embeddings.arithmetic import TensorProduct
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import UnknownNameError
from hybridsem.registry.plugins import plugins
from hybridsem.registry.spec import Build, ModelSpec, cosine, without_roles
from hybridsem.registry.word_vectors import vectors as vectors_of

if TYPE_CHECKING:
    from hybridsem.graphs.combiner import GraphMetric

BLANK = "{}"
"""The place in a preset's encoder for the user's argument: ``gensen:FILE``."""


def _made(place: str, *arguments: Any, **options: Any) -> Any:
    """Import a module and make an object of ``module:class``."""
    module, _, kind = place.partition(":")
    return getattr(import_module(f"hybridsem.{module}"), kind)(*arguments, **options)


def _hybrid(name: str) -> Build:
    return without_roles(
        name, lambda vectors: _made("combiners.hybrid:HybridCombiner", name, vectors)
    )


def _verbnet(vectors: WordVectors, normalise: Normalise | None) -> RoleCombiner:
    return RoleCombiner(
        "verbnet-cn", vectors, VERBNET_WEIGHTS, normalise or "matched", pairings=PAIRINGS
    )


def _role_swaps(vectors: WordVectors, normalise: Normalise | None) -> Any:
    roles = _verbnet(vectors, normalise)
    return _made("combiners.role_swaps:RoleSwapCombiner", "hybrid-0.1", roles)


def _published(vectors: WordVectors, normalise: Normalise | None) -> Any:
    name, kind = "verbnet-cn-2024", "combiners.published:PublishedRoleCombiner"
    return _made(kind, name, vectors, VERBNET_WEIGHTS, normalise or "total", pairings=PAIRINGS)


def _slots(vectors: WordVectors, normalise: Normalise | None) -> Any:
    from hybridsem.combiners.slots import WEIGHTS, SlotCombiner

    return SlotCombiner("role-slots", vectors, WEIGHTS, normalise or "total")


def _dependency(vectors: WordVectors, normalise: Normalise | None) -> Combiner:
    how = normalise or "union"
    return RoleCombiner("dependency-cn", vectors, {}, how, formalism="dependency")


def _paths(name: str, default: Normalise = "dice", **options: Any) -> Build:
    return lambda vectors, normalise: _made(
        "combiners.paths:PathCombiner", name, vectors, normalise or default, **options
    )


def _metric(kind: str, **options: Any) -> Callable[[WordVectors], GraphMetric]:
    return lambda vectors: _made(
        f"graphs.combiner:{kind}", *([vectors] if kind == "WwlkMetric" else []), **options
    )


METRICS: Mapping[str, Callable[[WordVectors], GraphMetric]] = {
    "smatch": _metric("SmatchMetric"),
    "smatch-exact": _metric("SmatchMetric", exact=True),
    "wlk": _metric("WlkMetric"),
    "wwlk": _metric("WwlkMetric"),
    "sembleu": _metric("SembleuMetric"),
    "rematch": _metric("RematchMetric"),
}
"""The metrics of AMR graphs; the model of each is ``amr-`` and its name."""


def graph_metric(name: str, vectors: str | WordVectors | None = None) -> GraphMetric:
    """Return the named metric of AMR graphs; ``vectors`` are for ``wwlk``."""
    if name in METRICS:
        return METRICS[name](vectors_of(vectors, None))
    own = plugins("metric")
    if name not in own:
        raise UnknownNameError("graph metric", name, [*METRICS, *own])
    metric: GraphMetric = own[name].made(vectors_of(vectors, None))
    return metric


def _graphs(name: str) -> Build:
    build = METRICS[name.removeprefix("amr-")]
    return without_roles(
        name, lambda vectors: _made("graphs.combiner:GraphCombiner", name, build(vectors))
    )


def _tensors(vectors: WordVectors) -> Combiner:
    return PairCombiner("tensor-cn", TensorProduct(vectors, content_only=True))


STRINGS = ("levenshtein", "jaccard", "rouge", "bm25")
"""The models that compare strings."""


def _strings(name: str) -> Build:
    return without_roles(name, lambda _: _made("strings:StringCombiner", name, name))


_BUILD: Mapping[str, Build] = {
    "hybrid": _hybrid("hybrid"),
    "hybrid-large": _hybrid("hybrid-large"),
    "hybrid-0.1": _role_swaps,
    "verbnet-cn": _verbnet,
    "verbnet-cn-2024": _published,
    "role-slots": _slots,
    "dependency-cn": _dependency,
    **{name: cosine(name) for name in ("embedded", "role-encoder")},
    "amr-cn": _paths("amr-cn"),
    "amr-cn-depth": _paths("amr-cn-depth", decay=2 / 3),
    "amr-cn-collapsed": _paths("amr-cn-collapsed", collapse=True),
    "amr-cn-2024": _paths("amr-cn-2024", "union", averaged=True),
    **{f"amr-{name}": _graphs(f"amr-{name}") for name in METRICS},
    "tensor-cn": without_roles("tensor-cn", _tensors),
    **{name: _strings(name) for name in STRINGS},
}


def _spec(name: str, row: Mapping[str, Any], **more: Any) -> ModelSpec:
    return ModelSpec(**{**row, "name": name, "rows": tuple(row.get("rows", ())), **more})


@cache
def own() -> Mapping[str, ModelSpec]:
    """Return the models without the presets, whose file is slow to read."""
    rows = read_table(__file__)
    return {name: _spec(name, rows[name], build=build) for name, build in _BUILD.items()}


@cache
def _presets() -> dict[str, dict[str, Any]]:
    return read_table(__file__.replace("named.py", "presets.py"))


@cache
def presets() -> Mapping[str, ModelSpec]:
    """Return the presets by name, each a model: the cosine over its encoder."""
    return MappingProxyType(
        {
            name: _spec(name, row, encoder=name, build=cosine(name))
            for name, row in _presets().items()
        }
    )


def written(name: str) -> str | None:
    """Return the ``kind:argument`` of a preset, or None."""
    return _presets()[name]["encoder"] if name in _presets() else None
