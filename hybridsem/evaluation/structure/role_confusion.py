"""The benchmark ``role-confusion``: does a model of AMR graphs notice exchanged arguments?"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from hybridsem import registry
from hybridsem.amr import AmrGraph
from hybridsem.datasets.settings import Settings
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.evaluation.comparison import MeanComparison
from hybridsem.evaluation.model import EvaluatedModel, evaluated_model, numbers_in
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure.scoring import counts_of
from hybridsem.evaluation.task import Measured, declared
from hybridsem.graphs.role_confusion import TOLERANCE, foils_of, rated_alike
from hybridsem.parsers.adapters.penman import read_graphs

ACCURACY, DROP = "accuracy", "drop"


@dataclass(frozen=True)
class Foils:
    """Pairs of graphs by place, and their foils: place, number of the changed graph, two graphs."""

    source: str
    sha256: str
    pairs: Mapping[int, tuple[AmrGraph, AmrGraph]]
    foils: Sequence[tuple[int, int, AmrGraph, AmrGraph]]
    split: str | None = None

    @property
    def rows(self) -> int:
        """The number of foils."""
        return len(self.foils)


def load(path: Path, settings: Settings) -> Foils:
    """Read the foils of two files of graphs and a file of ratings."""
    options = settings.options
    for name in ("against", "ratings", "least"):
        if name not in options:
            why = "role-confusion reads two files of graphs and one of ratings: it needs --against,"
            raise InputError(f"{why} --ratings and --least; {name} is missing")
    first, second = read_graphs(path), read_graphs(options["against"])
    ratings, least = numbers_in(options["ratings"]).tolist(), float(options["least"])
    alike = rated_alike(first, second, ratings, least)
    foils = foils_of(alike)
    if not foils:
        raise InputError(
            f"no pair gives a foil: {len(alike)} of {len(first)} are rated {least:g} or more and "
            "have two graphs, and none of these has a frame with two different arguments"
        )
    read = hashlib.sha256()
    for pair, *graphs in alike:
        notations = (graph.to_penman(metadata=False, indent=None) for graph in graphs)
        read.update("\t".join([str(pair), *notations, ""]).encode())
    return Foils(path.name, read.hexdigest(), {pair: (a, b) for pair, a, b in alike}, foils)


def measure(data: Foils, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure the share of foils with a lower score than their pair, and the drop of the score."""
    names = {pair: [f"graph {place} of pair {pair + 1}" for place in (1, 2)] for pair in data.pairs}
    graphs = dict(zip(chain(*names.values()), chain(*data.pairs.values()), strict=True))
    asked = [(first, second) for first, second in names.values()]
    for pair, changed, *both in data.foils:
        own = [*names[pair]]
        own[changed - 1] += " with two arguments exchanged"
        graphs[own[changed - 1]] = both[changed - 1]
        asked.append((own[0], own[1]))
    scores = _reader_of(graphs, tested).scores(asked)
    of_pair = dict(zip(names, scores.tolist(), strict=False))
    before = np.array([of_pair[pair] for pair, *_ in data.foils])
    after = scores[len(names) :]
    drops = before - after
    noticed = np.where(np.isnan(drops), np.nan, after < before - TOLERANCE)
    means = {ACCURACY: Column(noticed), DROP: Column(drops)}
    values = {"before": before, "after": after, ACCURACY: noticed, DROP: drops}
    columns = {
        "pair": [pair + 1 for pair, *_ in data.foils],
        "changed": [changed for _, changed, *_ in data.foils],
        **{name: column.tolist() for name, column in values.items()},
    }
    counts = counts_of(drops, {"truncated": None, "pairs": len(data.pairs)})
    notes = ("the graphs are those of the files: the model's parser is not asked",)
    return Measured({"all": summaries(means, **settings.drawing)}, counts, columns, notes=notes)


def _reader_of(graphs: Mapping[str, AmrGraph], tested: EvaluatedModel) -> EvaluatedModel:
    """Return the model with a parser that knows these graphs by their names."""
    pipeline = tested.pipeline
    if pipeline is None or pipeline.combiner.formalism != "amr" or pipeline.combiner.reads_vectors:
        why = "role-confusion is for models that compare AMR graphs, such as amr-smatch"
        raise InputError(f"{why}; got {tested.name!r}")
    pipeline = copy(pipeline)
    pipeline.reader.parts.parser = registry.parser(graphs, "amr", EmbeddedEncoder())
    return evaluated_model(pipeline)


_MEANS = MeanComparison((ACCURACY, DROP))
TASKS = (declared("role-confusion", load, measure, comparison=_MEANS),)
