"""How often the relation of a pair is that of its label, for each rule of natural logic.

    python -m models.rules.logic --data ../shared/data [--write]

The support of a rule of contexts or relations are the labelled pairs of development data with an
edit by it, or in its context, whose other edits are certain; its precision is the share of these
whose joined relation is that of the label. Of pairs that are only said to be entailed or not, that
much is compared. ``--write`` puts both figures into the rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np

from benchmarks.command import DATA, run
from hybridsem import Pipeline
from hybridsem.comparison.logic import Relation, direction
from hybridsem.datasets.labelled_pairs import CONTRADICTION, ENTAILMENT, NEUTRAL
from hybridsem.judge.derivation import Derivation, derivations
from hybridsem.judge.rules import CONTEXTS, RELATIONS
from models.corpora import read
from models.rules.measure import INFERENCE, INFERRED, SEED, Measured, written

EVERYDAY = ("mnli-train", "lingnli-train", "snli-revised", "help", "recast", "commitmentbank")
PER_SET = 2500
LONGEST = 200
CERTAIN = 0.6
"""The least confidence of the other edits of a pair."""
ENTAILING = frozenset({Relation.EQUIVALENT, Relation.FORWARD})
EXCLUDING = frozenset({Relation.NEGATION, Relation.ALTERNATION})

Row = tuple[tuple[str, str], str]


def labelled(data: Path) -> Iterator[list[Row]]:
    """Yield the pairs of each development corpus with their labels."""
    files = [*(f"everyday/{name}" for name in EVERYDAY), *(f"inference/{n}" for n in INFERENCE)]
    sets = [("columns", f"{name}.tsv") for name in files]
    for how, name in (*sets, *(("inference", name) for name in INFERRED)):
        yield [(item.pair, item.label) for item in read(how, data / name)]


def is_right(relation: Relation, label: str) -> bool:
    """Test if a relation is that of a label."""
    if label in (NEUTRAL, CONTRADICTION):
        found = CONTRADICTION if relation in EXCLUDING else NEUTRAL
        return relation not in ENTAILING and found == label
    return (relation in ENTAILING) == (label == ENTAILMENT)


def rules_of(derivation: Derivation) -> set[str]:
    """Return the rules of the edits, and of their contexts, if the other edits are certain."""
    found = set()
    for edit in derivation.edits:
        others = (each.confidence for each in derivation.edits if each is not edit)
        if min(others, default=1.0) < CERTAIN:
            continue
        found.add(edit.rule)
        side = 0 if edit.before.tokens else 1
        words = edit.sides[side].tokens
        around = derivation.sides[side].contexts[words[0]] if words else ()
        found |= {within.rule for within in around if direction([within.context]) <= 0}
        found |= {within.rule for within in around if within.source not in words}
    return found - {""}


def main(
    data: Path = DATA, write: Annotated[bool, "put the figures into the rows"] = False
) -> None:
    nlp, rng = Pipeline(), np.random.default_rng(SEED)
    support: defaultdict[str, int] = defaultdict(int)
    right: defaultdict[str, int] = defaultdict(int)
    for rows in labelled(data):
        short = [row for row in rows if max(map(len, row[0])) <= LONGEST]
        chosen = [short[at] for at in rng.permutation(len(short))[:PER_SET].tolist()]
        for start in range(0, len(chosen), 500):
            part = chosen[start : start + 500]
            batch = nlp.read([pair for pair, _ in part])
            compared = nlp.combiner.compared(batch)
            found = zip(batch.pairs, compared, derivations(compared), part, strict=True)
            for pair, one, derivation, (_, label) in found:
                if one is not None and derivation is not None:
                    ordered = derivation if one.first == pair[0] else derivation.inverted
                    for rule in rules_of(ordered):
                        support[rule] += 1
                        right[rule] += is_right(ordered.relation, label)
    measures = {rule: Measured(support[rule], right[rule]) for rule in sorted(support)}
    for rule, measured in measures.items():
        low, high = measured.interval
        print(f"{rule:22}{measured.support:8}{measured.precision:8.2f}   {low:.2f} to {high:.2f}")
    if write:
        for path in (CONTEXTS, RELATIONS):
            text = path.read_text(encoding="utf-8")
            own = {rule: one for rule, one in measures.items() if f'id = "{rule}"' in text}
            path.write_text(written(text, own), encoding="utf-8")


if __name__ == "__main__":
    run(main)
