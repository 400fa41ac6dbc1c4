"""The main clause of a sentence, short enough to be quoted.

After the deer had come back, the wolves, long gone, returned to the valley.
"the wolves … returned to the valley"
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from hybridsem._utils.tables import read_table
from hybridsem.comparison.quotations import DENIALS, QUOTED, are_most, base, written
from hybridsem.comparison.spelling import parts
from hybridsem.structures import DependencyTree

_TABLE = read_table(__file__)
DISPENSABLE = tuple(_TABLE["dispensable"].split())
CONDITIONS = frozenset(_TABLE["conditions"].split())
WITHOUT_WORDS = frozenset({"cc", "punct", "discourse"})
LONGEST = 16
"""The most words of a clause that is quoted."""
PIECES = 2
"""The most pieces in which it is quoted."""


def main_clause(tree: DependencyTree) -> str:
    """Return the main clause of a sentence as written. What verbs and nouns can do without is left
    out, from the end, until the clause is short, but no denial. It is "" if it stays long or falls
    into many pieces.
    """
    words = [any(map(str.isalnum, token.text)) for token in tree]
    kept, count = [*range(len(tree))], sum(words)
    for relation, at in product(DISPENSABLE, reversed(range(len(tree)))):
        if count <= LONGEST:
            break
        if at in kept and base(tree[at].relation) == relation and _is_dispensable(tree, at):
            dropped = {*tree.subtree(at)}
            kept = [one for one in kept if one not in dropped]
            count = sum(words[one] for one in kept)
    while kept and tree[kept[0]].relation in WITHOUT_WORDS:
        kept = kept[1:]
    pieces = [
        [at for at in piece if tree[at].pos != "PUNCT" or piece[0] < at < piece[-1]]
        for piece in parts(kept, 0)
    ]
    quoted = [piece for piece in pieces if any(words[at] for at in piece)]
    if count > LONGEST or not 0 < len(quoted) <= PIECES:
        return ""
    return " … ".join(written(tree, piece) for piece in quoted)


def _is_dispensable(tree: DependencyTree, at: int) -> bool:
    """Test if a verb or noun can do without a dependent: it is no condition, and denies nothing."""
    return (
        tree[at].relation != "nmod:poss"
        and tree[tree[at].head].pos in ("VERB", "AUX", "NOUN", "PROPN")
        and CONDITIONS.isdisjoint(tree[one].lemma for one in tree.children(at))
        and DENIALS.isdisjoint(tree[one].lemma for one in tree.subtree(at))
    )


def in_clauses(quoted: tuple[str, str], clauses: Sequence[str]) -> tuple[str, str] | None:
    """Return quotations of two main clauses, 1 and 2, of which several quoted phrases are most;
    None for others, and if a clause does not have its longest phrase.
    """
    if len(clauses) < 2 or not are_most(quoted, (clauses[0], clauses[1])):
        return None
    longest = [max(QUOTED.findall(text), key=len).strip('"').lower() for text in quoted]
    known = all(text in clause.lower() for text, clause in zip(longest, clauses, strict=True))
    return (f'"{clauses[0]}"', f'"{clauses[1]}"') if known else None
