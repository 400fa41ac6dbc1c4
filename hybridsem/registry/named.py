"""The named models: ``named.toml`` describes each, a table here builds it.

The named encoders of the literature are rows of ``presets.toml``, each a model too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hybridsem._typing import Plain
from hybridsem._utils.tables import read_table
from hybridsem.combiners.sentence import PairCombiner
from hybridsem.comparison.role_alignment import PAIRINGS, SLOT_WEIGHTS, VERBNET_WEIGHTS, Normalise
from hybridsem.embeddings.arithmetic import TensorProduct
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import UnknownNameError
from hybridsem.registry.parts import Build, ModelSpec, cosine, imported, without_roles
from hybridsem.registry.plugins import plugins
from hybridsem.registry.word_vectors import vectors as vectors_of

if TYPE_CHECKING:
    from hybridsem.graphs.combiner import GraphMetric

ROLES, PATHS = "combiners.roles:RoleCombiner", "combiners.paths:PathCombiner"
PUBLISHED, SLOTS = "combiners.roles:PublishedRoleCombiner", "combiners.roles:SlotCombiner"
BLANK = "{}"
"""The place in a preset's encoder for the user's argument: ``gensen:FILE``."""


def _roles(name: str, place: str, *given: Any, default: Normalise, **options: Any) -> Build:
    """Return the builder of a model that compares roles, whose class is at ``place``."""
    return lambda vectors, normalise: imported(place)(
        name, vectors, *given, normalise or default, **options
    )


def _metric(kind: str, **options: Any) -> Callable[[WordVectors], GraphMetric]:
    return lambda vectors: imported(f"graphs.combiner:{kind}")(
        *([vectors] if kind == "WwlkMetric" else []), **options
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


def graph_metric(name: str) -> GraphMetric:
    """Return the named metric of AMR graphs, over the embedded word vectors."""
    if name in METRICS:
        return METRICS[name](vectors_of(None, None))
    own = plugins("metric")
    if name not in own:
        raise UnknownNameError("graph metric", name, [*METRICS, *own])
    metric: GraphMetric = own[name].made(vectors_of(None, None))
    return metric


def _graphs(name: str) -> Build:
    build = METRICS[name.removeprefix("amr-")]
    return without_roles(
        name, lambda vectors: imported("graphs.combiner:GraphCombiner")(name, build(vectors))
    )


STRINGS = ("levenshtein", "jaccard", "rouge", "bm25")
"""The models that compare strings."""


def _strings(name: str) -> Build:
    return without_roles(name, lambda _: imported("strings:StringCombiner")(name, name))


_BUILD: Mapping[str, Build] = {
    "hybrid": without_roles(
        "hybrid", lambda vectors: imported("combiners.hybrid:HybridCombiner")("hybrid", vectors)
    ),
    "hybrid-0.1": lambda vectors, normalise: imported("combiners.role_swaps:RoleSwapCombiner")(
        "hybrid-0.1", _BUILD["verbnet-cn"](vectors, normalise)
    ),
    "verbnet-cn": _roles(
        "verbnet-cn", ROLES, VERBNET_WEIGHTS, default="matched", pairings=PAIRINGS
    ),
    "verbnet-cn-2024": _roles(
        "verbnet-cn-2024", PUBLISHED, VERBNET_WEIGHTS, default="total", pairings=PAIRINGS
    ),
    "role-slots": _roles("role-slots", SLOTS, SLOT_WEIGHTS, default="total"),
    "dependency-cn": _roles("dependency-cn", ROLES, {}, default="union", formalism="dependency"),
    **{name: cosine(name) for name in ("embedded", "role-encoder")},
    "amr-cn": _roles("amr-cn", PATHS, default="dice"),
    "amr-cn-depth": _roles("amr-cn-depth", PATHS, default="dice", decay=2 / 3),
    "amr-cn-collapsed": _roles("amr-cn-collapsed", PATHS, default="dice", collapse=True),
    "amr-cn-2024": _roles("amr-cn-2024", PATHS, default="union", averaged=True),
    **{f"amr-{name}": _graphs(f"amr-{name}") for name in METRICS},
    "tensor-cn": without_roles(
        "tensor-cn",
        lambda vectors: PairCombiner("tensor-cn", TensorProduct(vectors, content_only=True)),
    ),
    **{name: _strings(name) for name in STRINGS},
}


def _spec(name: str, row: Plain, **more: Any) -> ModelSpec:
    return ModelSpec(**{**row, "name": name, "rows": tuple(row.get("rows", ())), **more})


def _rows(module: str) -> Iterator[tuple[str, Plain]]:
    """Yield the rows of a module's table by name; those of a family have its fields too."""
    for name, row in read_table(module).items():
        own = {name: value for name, value in row.items() if isinstance(value, dict)}
        shared = {name: value for name, value in row.items() if name not in own}
        yield from ((member, shared | row) for member, row in (own or {name: row}).items())


@cache
def own() -> Mapping[str, ModelSpec]:
    """Return the models without the presets, whose file is slow to read."""
    rows = dict(_rows(__file__))
    return {name: _spec(name, rows[name], build=build) for name, build in _BUILD.items()}


@cache
def _presets() -> dict[str, Plain]:
    """Return the rows of the presets, with the names that their texts leave open."""
    found = {}
    for name, row in _rows(__file__.replace("named.py", "presets.py")):
        hub = row["encoder"].partition(":")[2].partition(",")[0]
        needs = row["needs"].replace("{name}", name)
        found[name] = row | {"needs": needs, "reference": row["reference"].replace("{hub}", hub)}
    return found


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
