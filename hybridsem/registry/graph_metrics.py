"""The models that compare whole AMR graphs: Smatch, Weisfeiler-Leman kernels, SemBLEU, Rematch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import UnknownNameError
from hybridsem.registry.spec import PARSER_LICENCE, ModelSpec, without_roles
from hybridsem.registry.word_vectors import vectors as vectors_of

if TYPE_CHECKING:
    from hybridsem.graphs.combiner import GraphCombiner, GraphMetric


@dataclass(frozen=True)
class _Metric:
    summary: str
    needs: str
    reference: str
    build: Callable[[WordVectors], GraphMetric]
    rows: tuple[str, ...] = ()


def _made(kind: str, *arguments: Any, **options: Any) -> Any:
    """One of the metrics of the module that compares graphs, which is imported here."""
    return getattr(import_module("hybridsem.graphs.combiner"), kind)(*arguments, **options)


_OPITZ = "Opitz, Daza & Frank 2021"
METRICS: Mapping[str, _Metric] = {
    "smatch": _Metric(
        "F1 of two AMR graphs' triples, nodes mapped by hill climbing",
        "extra graphs",
        "Cai & Knight 2013, Smatch",
        lambda _: _made("SmatchMetric"),
        ("Fodor: AMR-SMATCH",),
    ),
    "smatch-exact": _Metric(
        "F1 of two AMR graphs' triples, the mapping of nodes proven best",
        "extra graphs",
        "Cai & Knight 2013, Smatch by integer programming",
        lambda _: _made("SmatchMetric", exact=True),
    ),
    "wlk": _Metric(
        "cosine of two AMR graphs' labels and neighbourhoods",
        "embedded",
        f"{_OPITZ}, WLK",
        lambda _: _made("WlkMetric"),
    ),
    "wwlk": _Metric(
        "1 less the cost of moving one AMR graph's nodes, as vectors in context, onto the other's",
        "extra graphs",
        f"{_OPITZ}, WWLK",
        partial(_made, "WwlkMetric"),
        ("Fodor: AMR-WWLK",),
    ),
    "sembleu": _Metric(
        "BLEU of the paths of two AMR graphs, both directions' mean",
        "embedded",
        "Song & Gildea 2019",
        lambda _: _made("SembleuMetric"),
    ),
    "rematch": _Metric(
        "Jaccard index of two AMR graphs' motifs: attributes, concepts, relations",
        "embedded",
        "Kachwala, An, Kwak & Menczer 2024",
        lambda _: _made("RematchMetric"),
    ),
}


def graph_metric(name: str, vectors: str | WordVectors | None = None) -> GraphMetric:
    """The named metric; ``vectors`` are those of ``wwlk``. :class:`UnknownNameError` else."""
    if name not in METRICS:
        raise UnknownNameError("graph metric", name, METRICS)
    return METRICS[name].build(vectors_of(vectors, None))


def _model(name: str, metric: _Metric) -> ModelSpec:
    model = f"amr-{name}"

    def combiner(vectors: WordVectors) -> GraphCombiner:
        from hybridsem.graphs.combiner import GraphCombiner

        return GraphCombiner(model, metric.build(vectors))

    return ModelSpec(
        model,
        metric.summary,
        metric.needs,
        PARSER_LICENCE,
        metric.reference,
        without_roles(model, combiner),
        rows=metric.rows,
    )


MODELS = tuple(_model(name, metric) for name, metric in METRICS.items())
