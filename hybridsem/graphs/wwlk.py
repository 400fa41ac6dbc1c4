"""The Wasserstein Weisfeiler-Leman kernel over AMR graphs (Opitz, Daza & Frank 2021, WWLK).

    x_0      a node's word vector: "magnifying-glass" is looked up as two words, "run-02" as one
    x_k      x_(k-1) plus the mean, over the edges at the node, of the edge's weight times the
             neighbour's x_(k-1)
    node     x_0, …, x_K concatenated, at unit length
    score    1 - the least cost of moving one graph's nodes, of equal mass, onto the other's, by
             Euclidean distance

The authors' score is the negative cost, in [-2, 0]: the same order. Their program draws the weight
of a role uniformly from [0.25, 0.35] in each run. Here the draw depends on the role's name, so that
roles differ and scores are reproducible (WWLK_theta learns the weights). Likewise a word without
vector has a direction that depends only on the word.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import product
from hybridsem._utils.extras import extra
from hybridsem.embeddings.words import WordVectors, filler_vectors
from hybridsem.errors import InputError
from hybridsem.graphs.triples import Labelled

EDGE_WEIGHTS = (0.25, 0.35)

_SENSE = re.compile(r"-\d\d+$")


def words_of(label: str) -> tuple[str, ...]:
    """Return the words of a label: a concept without its sense, or a constant."""
    return tuple(word for word in _SENSE.sub("", label).split("-") if word) or (label,)


def label_vectors(vectors: WordVectors, labels: Sequence[str]) -> dict[str, Float64Array]:
    """Return a unit vector for each label, (d,) float64; random by name without word vectors.
    Raises :class:`InputError` for word vectors without dimensions.
    """
    table = filler_vectors(vectors, [words_of(label) for label in labels]).astype(np.float64)
    if labels and not table.shape[1]:
        raise InputError(f"the word vectors have no dimension, got an array of shape {table.shape}")
    for label, row in zip(labels, table, strict=True):
        if not row.any():
            drawn = _generator(" ".join(words_of(label))).normal(size=len(row))
            row[:] = drawn / np.linalg.norm(drawn, axis=0)
    return dict(zip(labels, table, strict=True))


@cache
def edge_weight(role: str) -> float:
    """Return the weight of a role (``arg0``), in [0.25, 0.35], drawn by its name."""
    return float(_generator(role).uniform(*EDGE_WEIGHTS))


def _generator(name: str) -> np.random.Generator:
    seed = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.random.default_rng(int.from_bytes(seed))


def node_vectors(
    graph: Labelled,
    vectors: Mapping[str, Float64Array],
    iterations: int,
    weights: Mapping[str, float],
) -> Float64Array:
    """Return a unit vector for each node, (n, (K + 1) d), with K ``iterations``, from the vector of
    each label, (d,); ``weights`` are known weights of roles.
    """
    nodes = np.stack([vectors[label] for label in graph.labels])
    step = np.zeros((len(nodes), len(nodes)))
    degree = np.zeros(len(nodes))
    for source, role, target in graph.edges:
        for node, neighbour in ((source, target), (target, source)):
            step[node, neighbour] += weights[role] if role in weights else edge_weight(role)
            degree[node] += 1
    step /= np.maximum(degree, 1)[:, None]
    wider = [nodes]
    for _ in range(iterations):
        wider.append(wider[-1] + product(step, wider[-1]))
    found = np.concatenate(wider, axis=1)
    lengths: Float64Array = np.linalg.norm(found, axis=1, keepdims=True)
    return found / lengths


def transport(one: Float64Array, two: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Return the cheapest way to move one graph's nodes, of equal mass, onto the other's. Returns
    the mass moved between nodes, (n, m), with sum 1, and their distances, (n, m), in [0, 2]. Raises
    :class:`MissingExtraError` without POT, the library for optimal transport.
    """
    from scipy.spatial.distance import cdist

    with extra("pot", "graphs"):
        import ot
    distances: Float64Array = cdist(one, two)
    masses = [np.full(size, 1 / size) for size in distances.shape]
    return np.asarray(ot.emd(*masses, distances, numItermax=10_000_000)), distances
