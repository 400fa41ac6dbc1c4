"""From arc scores to a tree: the maximum spanning arborescence with one root.

Greedy heads are a tree most of the time; where they are not, Chu-Liu-Edmonds finds the best one
(McDonald et al. 2005).
"""

from __future__ import annotations

import numpy as np

from hybridsem._typing import Float32Array, Float64Array


def best_trees(scores: Float32Array) -> list[list[int]]:
    """The heads of the words of each sentence, by scores (sentences, n, n + 1)."""
    greedy: list[list[int]] = scores.argmax(2).tolist()
    return [
        heads if heads.count(0) == 1 and _cycle([-1, *heads]) is None else _best_tree(of)
        for of, heads in zip(scores, greedy, strict=True)
    ]


def best_tree(scores: Float32Array) -> list[int]:
    """The heads (0 is the root, words count from 1) of the best tree in which exactly one word
    hangs on the root.

    ``scores`` (n, n + 1) holds for each word the score of each head, column 0 for the root.
    """
    (heads,) = best_trees(scores[None])
    return heads


def _best_tree(scores: Float32Array) -> list[int]:
    """As :func:`best_tree`, where the greedy heads are no such tree."""
    n = len(scores)
    full = np.full((n + 1, n + 1), -np.inf)
    full[1:] = scores
    np.fill_diagonal(full, -np.inf)
    found = _edmonds(full)
    if found.count(0) > 1:
        # One root: any tree with one root word beats all with more once each use of the root costs
        # more than all the rest.
        finite = full[np.isfinite(full)]
        full[1:, 0] -= (finite.max() - finite.min() + 1) * (n + 1)
        found = _edmonds(full)
    return found[1:]


def _cycle(heads: list[int]) -> list[int] | None:
    """The nodes of one cycle among ``heads`` (heads[0] is not read), or None."""
    state = [0] * len(heads)  # 0: unseen, k: seen on the walk from k, -1: known to reach the root
    state[0] = -1
    for begin in range(1, len(heads)):
        node = begin
        while state[node] == 0:
            state[node] = begin
            node = heads[node]
        if state[node] == begin:
            cycle, at = [node], heads[node]
            while at != node:
                cycle.append(at)
                at = heads[at]
            return cycle
        node = begin
        while state[node] == begin:
            state[node] = -1
            node = heads[node]
    return None


def _edmonds(scores: Float64Array) -> list[int]:
    """The best heads for ``scores`` (m, m), [dependent, head], node 0 the root; heads[0] is -1."""
    m = len(scores)
    heads = [-1, *scores[1:].argmax(1).tolist()]
    cycle = _cycle(heads)
    if cycle is None:
        return heads
    inside = np.zeros(m, bool)
    inside[cycle] = True
    outside = np.flatnonzero(~inside)
    k = len(outside)  # the contracted cycle becomes the last node
    small = np.full((k + 1, k + 1), -np.inf)
    small[:k, :k] = scores[np.ix_(outside, outside)]
    leaving = scores[outside][:, cycle]  # outside words that hang on a word of the cycle
    small[:k, k] = leaving.max(1)
    broken = scores[cycle][:, outside] - scores[cycle, [heads[c] for c in cycle]][:, None]
    small[k, :k] = broken.max(0)  # the cycle hangs on an outside word and gives up one of its arcs
    small[0] = -np.inf
    np.fill_diagonal(small, -np.inf)
    solved = _edmonds(small)
    for row in range(1, k):
        word, head = int(outside[row]), solved[row]
        heads[word] = cycle[int(leaving[row].argmax())] if head == k else int(outside[head])
    entry = solved[k]
    heads[cycle[int(broken[:, entry].argmax())]] = int(outside[entry])
    return heads
