"""Features of a dependency tree for the role heads, in training (``models/roles``) and use.

    candidates   the words that may head an argument of a predicate, each with its path in the tree
    columns      one row a word: its preposition or subjunction, the relations below it

The path from "ran" to "dog" in "the dog that ran" is acl:relcl upwards; a path is a hash of its
relations and directions. Those of :data:`REACH` cover 99.8 % of the arguments of PropBank's EWT.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from hybridsem._typing import Float32Array, IntArray
from hybridsem._utils.tables import word_set
from hybridsem.parsers.srl.lexicon import CORE
from hybridsem.parsers.trees.clauses import base_of
from hybridsem.structures import DependencyTree

PATHS = 4096
FUNCTION_WORDS = 512
# Steps up to a common ancestor and down from it.
_STEPS = ((0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (0, 2), (3, 0), (3, 1), (1, 2))
REACH = {steps: index for index, steps in enumerate(_STEPS)}
_DISTANCES = np.array([-20, -12, -8, -5, -3, -2, -1, 0, 1, 2, 3, 5, 8, 12, 20])
# A step is coded by an odd number upwards, an even one downwards; a path is a number below PATHS.
_FACTOR = 1_000_003 % PATHS
_MARKERS = frozenset({"case", "mark"})


Pair = tuple[int, int, int]
"""A word that may head an argument, the bucket of its path, and its (up, down) in REACH."""


def candidates(
    heads: Sequence[int],
    relations: Sequence[int],
    children: Sequence[Sequence[int]],
    predicate: int,
) -> list[Pair]:
    """Return the candidates of a predicate, nearest ancestor first; the root's head is -1."""
    found: list[Pair] = []
    above, code, up, below = predicate, 0, 0, -1
    while above >= 0 and up <= 3:
        if up:
            found.append((above, code, REACH[up, 0]))
        down, reach, beyond = code * _FACTOR + 2, REACH[up, 1], REACH.get((up, 2))
        for child in children[above]:
            if child != below:
                step = (down + 2 * relations[child]) % PATHS
                found.append((child, step, reach))
                if beyond is not None and children[child]:
                    further = step * _FACTOR + 2
                    found += [
                        (word, (further + 2 * relations[word]) % PATHS, beyond)
                        for word in children[child]
                    ]
        code = (code * _FACTOR + 2 * relations[above] + 1) % PATHS
        below, above, up = above, heads[above], up + 1
    return found


def distance(words: IntArray, predicates: IntArray) -> IntArray:
    """Return buckets of the distances of words from predicates, 0 to 15."""
    return np.asarray(np.searchsorted(_DISTANCES, words - predicates, side="left"), np.int64)


def columns(
    forms: Sequence[str],
    heads: Sequence[int] | IntArray,
    relations: Sequence[int],
    names: Sequence[str],
) -> tuple[IntArray, Float32Array]:
    """Return the bucket of each word's marker (0: none), and relations below it (n, relations). The
    words may be those of several sentences; ``relations`` are places in ``names``.
    """
    marker = np.zeros(len(forms), np.int64)
    below = np.zeros((len(forms), len(names)), np.float32)
    governors, kinds = np.array(heads), np.array(relations)
    (governed,) = np.nonzero(governors >= 0)
    below[governors[governed], kinds[governed]] = 1
    is_marker = np.array([name in _MARKERS for name in names])
    markers = governed[is_marker[kinds[governed]]][::-1]  # the last to be written is the first
    lower = (forms[k].lower().encode("utf-8", "replace") for k in markers.tolist())
    marker[governors[markers]] = [1 + zlib.crc32(form) % (FUNCTION_WORDS - 1) for form in lower]
    return marker, below


def choose_labels(
    scores: Float32Array, counts: Sequence[int], labels: Sequence[str]
) -> Iterator[list[tuple[int, int]]]:
    """Yield the arguments among each predicate's candidates, as (row, label) in order of rows.
    ``scores`` (candidates, labels) are probabilities, with ``counts`` rows for each predicate;
    column 0 is no argument. The most probable candidate chooses first, a core label is chosen once,
    and a continuation (C-) needs an argument.
    """
    core = {label for label, name in enumerate(labels) if name in CORE}
    continued = {
        label: name.removeprefix("C-") for label, name in enumerate(labels) if name[:2] == "C-"
    }
    best = scores.argmax(1)
    (rows,) = best.nonzero()
    best, predicates = best[rows], np.arange(len(counts)).repeat(counts)[rows]
    order = np.lexsort((-scores[rows, best], predicates))
    each = (column[order].tolist() for column in (predicates, rows, best))
    found: list[dict[int, int]] = [{} for _ in counts]
    for predicate, row, label in zip(*each, strict=True):
        chosen = found[predicate]
        if label in core and label in chosen.values():
            free = scores[row].copy()
            free[list(core.intersection(chosen.values()))] = 0
            label = int(free.argmax())
        if label:
            chosen[row] = label
    for chosen in found:
        if not continued.keys().isdisjoint(chosen.values()):
            present = {labels[label] for label in chosen.values()}
            chosen = {
                row: label
                for row, label in chosen.items()
                if label not in continued or continued[label] in present
            }
        yield sorted(chosen.items())


# Relations, without subtype, of dependents that do not belong to an argument above the predicate:
# after a copula or auxiliary those of the clause, else those that link the head to the rest.
_OF_CLAUSE = word_set(
    "advcl aux cc conj cop csubj discourse dislocated expl mark nsubj parataxis punct vocative"
)
_OF_HEAD = word_set("aux case cc cop csubj expl mark nsubj")
_CARRIERS = frozenset({"aux", "cop"})

# Labels of single words: light verbs and their nouns, modals, negation.
_ONE_WORD = frozenset({"ARGM-LVB", "ARGM-MOD", "ARGM-NEG", "ARGM-PRR"})


def argument_tokens(
    tree: DependencyTree, predicate: int, head: int, label: str, others: Collection[int] = ()
) -> tuple[int, ...]:
    """Return the indices of an argument's words, in order. Some ``label`` are always one word; the
    subtrees of ``others``, the heads of all of the predicate's arguments, are left out.
    """
    below, tokens = tree.below, tree.tokens
    if not below[head] or label in _ONE_WORD:
        return (head,)
    above, branch = tokens[predicate].head, predicate
    while above >= 0 and above != head:
        above, branch = tokens[above].head, above
    stack = [*below[head]]
    if above == head:  # above the predicate, some dependents do not belong to the argument
        carried = base_of(tokens[branch].relation) in _CARRIERS
        relations = {child: base_of(tokens[child].relation) for child in stack if child != branch}
        stack = [
            child
            for child, relation in relations.items()
            if not (relation in _OF_CLAUSE or child < branch if carried else relation in _OF_HEAD)
        ]
    found = [head]
    while stack:
        word = stack.pop()
        if word != predicate and word not in others:
            found.append(word)
            stack += below[word]
    found.sort()
    while found[0] != head and tokens[found[0]].pos == "PUNCT":
        del found[0]
    while found[-1] != head and tokens[found[-1]].pos == "PUNCT":
        del found[-1]
    return tuple(found)
