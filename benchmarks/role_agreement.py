"""Agreement of semantic roles with annotations: predicates, rolesets, arguments, general roles.

    The dog was chased by a cat.
    gold        chase.01   ARG1 [The dog] patient   ARG0 [by a cat] agent
    predicted   chase.01   ARG1 [The dog] Patient   ARG2 [by a cat] –
                heads  1 of 2 right   spans  1 of 2 right   roles  precision 1/1, recall 1/2

Counted over all predicates of all sentences:

* ``predicates``: words that are a predicate. ``rolesets``: the right roleset, among predicted
  predicates that are annotated.
* ``heads``: pairs of an argument's label (numbered, modifiers, ``R-``, ``C-``) and its syntactic
  head, as in CoNLL-2009. ``spans``: the same with all its words, as in CoNLL-2005. ``C-V`` is
  part of the predicate.
* ``roles``: pairs of one of the eight general roles and a head. A gold argument has the role that
  :func:`~hybridsem.parsers.verbnet.general_roles.general_role` gives for its label, its VerbNet
  roles and the roleset. Where that is None (no VerbNet role, another modifier, ``R-`` and ``C-``),
  the argument is neither right nor wrong, and so are predictions with its head. ``core roles``:
  modifiers are left out in the same way.
* ``… unlabelled``: the same without label or role.

A gold span's head is the first word whose governor is outside it. Arguments whose head is their own
predicate are left out on both sides. Precision is None if nothing was predicted, recall if there is
nothing to find.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hybridsem._typing import AnyArray
from hybridsem.errors import InputError
from hybridsem.evaluation.statistics.rating_correlations import interval
from hybridsem.evaluation.statistics.resampling import resampled_columns
from hybridsem.parsers.verbnet.general_roles import general_role
from hybridsem.structures import Argument, DependencyTree, Predicate

Items = Counter[tuple[Hashable, ...]]
Cell = tuple[str, str, str]  # the kind of item, what splits it, the group
Counts = tuple[int, int, int]  # right, predicted, annotated

_CLASSES = {"VERB": "verb", "AUX": "be, have, do", "ADJ": "adjective"}
_CLASSES |= dict.fromkeys(("NOUN", "PROPN"), "noun")
_PART_OF_PREDICATE = frozenset({"V", "C-V"})


@dataclass(frozen=True)
class Agreement:
    """Counts of right, predicted and annotated items; ``low`` and ``high`` bound F1.

    >>> found = Agreement(right=6, predicted=8, gold=12)
    >>> found.precision, found.recall, found.f1
    (0.75, 0.5, 0.6)
    """

    right: int
    predicted: int
    gold: int
    low: float | None = None
    high: float | None = None

    @property
    def precision(self) -> float | None:
        """The share of predictions that are right."""
        return self.right / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        """The share of annotations that were predicted."""
        return self.right / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both; None if there is nothing at all."""
        return 2 * self.right / (self.predicted + self.gold) if self.predicted + self.gold else None


@dataclass(frozen=True)
class AgreementReport:
    """Agreement by kind (``heads``, …), by role or label, and by class of predicate."""

    overall: Mapping[str, Agreement]
    by_role: Mapping[str, Mapping[str, Agreement]]
    by_class: Mapping[str, Mapping[str, Agreement]]


def compare(
    gold: Sequence[DependencyTree],
    predicted: Sequence[Sequence[Predicate]],
    *,
    spurious: bool = False,
    resamples: int = 0,
    seed: int = 0,
) -> AgreementReport:
    """Compare predicted predicates with those of gold trees over the same words.

    Arguments of annotated predicates that were not predicted are always missed.

    Args:
        gold: Trees with annotated predicates.
        predicted: The predicates of each tree.
        spurious: Count arguments of predicates that are not annotated as wrong; otherwise they are
            left out, as where the predicates are given.
        resamples: Of sentences, for 95 % intervals; 0 for none.
        seed: Of the resamples.

    Raises:
        InputError: Different lengths, or a gold tree without annotation.

    >>> from hybridsem.parsers.srl.labeller import labelled_trees
    >>> (tree,) = labelled_trees().trees(["A dog barked."])
    >>> compare([tree], [()]).overall["heads"].recall
    0.0
    """
    if len(gold) != len(predicted):
        raise InputError(f"expected predicates for {len(gold)} sentences, got {len(predicted)}")
    totals: dict[Cell, AnyArray] = defaultdict(lambda: np.zeros(3, np.int64))
    rows: dict[str, AnyArray] = defaultdict(lambda: np.zeros((len(gold), 3), np.int64))
    for number, (tree, found) in enumerate(zip(gold, predicted, strict=True)):
        if tree.predicates is None:
            expected = f"expected an annotated tree in row {number}"
            raise InputError(f"{expected}, got one without predicates: {tree.text!r}")
        for kind, group, role, counts in _sentence(tree, tree.predicates, found, spurious):
            rows[kind][number] += counts
            totals[kind, "class", group] += counts
            if role is not None:
                totals[kind, "role", role] += counts

    def split(wanted: str) -> dict[str, dict[str, Agreement]]:
        nested: dict[str, dict[str, Agreement]] = defaultdict(dict)
        for kind, by, group in sorted(totals):
            if by == wanted:
                nested[kind][group] = Agreement(*totals[kind, by, group].tolist())
        return dict(nested)

    overall = {kind: _overall(each, resamples, seed) for kind, each in rows.items()}
    return AgreementReport(overall, split("role"), split("class"))


def _overall(rows: AnyArray, resamples: int, seed: int) -> Agreement:
    agreement = Agreement(*rows.sum(axis=0).tolist())
    if not resamples:
        return agreement
    right, predicted, gold = resampled_columns(list(rows.T.astype(float)), "mean", resamples, seed)
    below = predicted + gold
    drawn = np.divide(2 * right, below, out=np.full(len(below), np.nan), where=below > 0)
    low, high, _ = interval(drawn, 0.95)
    return replace(agreement, low=low, high=high)


def aligned(
    predicates: Iterable[Predicate], tree: DependencyTree, gold: DependencyTree
) -> tuple[Predicate, ...]:
    """Return the predicates of a tree as predicates of another tree of the same text. Words
    correspond if their character offsets are equal. A word without a counterpart gets a negative
    index, which no annotation has.
    """
    at = {(token.start, token.end): k for k, token in enumerate(gold)}
    place = [at.get((token.start, token.end), -1 - k) for k, token in enumerate(tree)]

    def moved(one: Argument) -> Argument:
        return replace(one, head=place[one.head], tokens=tuple(place[t] for t in one.tokens))

    return tuple(
        replace(one, index=place[one.index], arguments=tuple(map(moved, one.arguments)))
        for one in predicates
    )


def predicate_class(tree: DependencyTree, predicate: Predicate) -> str:
    """Return ``verb``, ``be, have, do``, ``noun``, ``adjective``, ``light verb`` or ``other``."""
    if predicate.roleset is not None and predicate.roleset.endswith(".LV"):
        return "light verb"
    return _CLASSES.get(tree[predicate.index].pos, "other")


def _sentence(
    tree: DependencyTree, gold: Sequence[Predicate], found: Sequence[Predicate], spurious: bool
) -> Iterator[tuple[str, str, str | None, Counts]]:
    """Yield kinds of items with the class of predicate, the role or label, and counts."""
    known = {predicate.index: predicate for predicate in gold}
    given = {predicate.index: predicate for predicate in found}
    for index in sorted(known.keys() | given.keys()):
        a, b = known.get(index), given.get(index)
        group = predicate_class(tree, a) if a is not None else "not annotated"
        yield "predicates", group, None, (int(None not in (a, b)), b is not None, a is not None)
        if a is None and not spurious:
            continue
        if a is not None and b is not None:
            counts = int(a.roleset == b.roleset), int(b.roleset is not None), 1
            yield "rolesets", group, None, counts
        for name, wanted, ours in _items(a, b):
            right = wanted & ours
            for item in wanted | ours:
                yield name, group, str(item[0]), (right[item], ours[item], wanted[item])
            if not wanted | ours:
                yield name, group, None, (0, 0, 0)
            bare = [Counter({item[1:]: n for item, n in items.items()}) for items in (wanted, ours)]
            sums = [items.total() for items in (bare[0] & bare[1], bare[1], bare[0])]
            yield f"{name} unlabelled", group, None, (sums[0], sums[1], sums[2])


def _items(gold: Predicate | None, found: Predicate | None) -> Iterator[tuple[str, Items, Items]]:
    """Yield annotated and predicted items by kind; an item begins with its label or role."""
    wanted, ours = ([] if each is None else list(_arguments(each)) for each in (gold, found))
    for name, part in (("heads", "head"), ("spans", "tokens")):
        items: list[Items] = [
            Counter((a.label, getattr(a, part)) for a in side) for side in (wanted, ours)
        ]
        yield name, items[0], items[1]
    roleset = gold.roleset if gold is not None else None
    for name, modifiers in (("roles", True), ("core roles", False)):
        roles = {
            (role, a.head)
            for a in wanted
            if (role := general_role(a.label, a.verbnet, roleset))
            and (modifiers or not a.label.startswith("ARGM"))
        }
        open_heads = {a.head for a in wanted} - {head for _, head in roles}
        given = {(a.role, a.head) for a in ours if a.role is not None and a.head not in open_heads}
        yield name, Counter(roles), Counter(given)


def _arguments(predicate: Predicate) -> Iterator[Argument]:
    others = (a for a in predicate.arguments if a.head != predicate.index)
    return (a for a in others if a.label not in _PART_OF_PREDICATE)
