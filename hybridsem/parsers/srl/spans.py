"""From the head of an argument to its words: its subtree, as far as that is PropBank's phrase.

What a predicate stands in does not belong to its arguments: of a head above the predicate, the
branch of the predicate is cut off, and what belongs to the head's own clause. In "Which cage is
better?" the second argument of "is" is "better" without its subject; in "the wire that I am going
to cover" the second of "cover" is "the wire".
"""

from __future__ import annotations

from collections.abc import Collection

from hybridsem._utils.tables import word_set
from hybridsem.structures import DependencyTree

# Dependents of a head above the predicate that are left out, by relation without subtype: of the
# complement of a copula or auxiliary everything of its clause, of another head what relates it to
# the rest.
_OF_CLAUSE = word_set(
    "advcl aux cc conj cop csubj discourse dislocated expl mark nsubj parataxis punct vocative"
)
_OF_HEAD = word_set("aux case cc cop csubj expl mark nsubj")
_CARRIERS = frozenset({"aux", "cop"})


# Labels that go to one word: light verbs and their nouns, modals, negation.
_ONE_WORD = frozenset({"ARGM-LVB", "ARGM-MOD", "ARGM-NEG", "ARGM-PRR"})


def argument_tokens(
    tree: DependencyTree, predicate: int, head: int, label: str, others: Collection[int] = ()
) -> tuple[int, ...]:
    """The indices of an argument's words, in order.

    Args:
        tree: Of the sentence.
        predicate: The predicate's index.
        head: The index of the argument's head.
        label: PropBank's, such as ``ARG1``; some modifiers are always one word.
        others: The heads of all of the predicate's arguments; but for ``head``, they and what
            depends on them are left out.
    """
    below, tokens = tree.below, tree.tokens
    if label in _ONE_WORD or not below[head]:
        return (head,)
    above, branch = tokens[predicate].head, predicate
    while above >= 0 and above != head:
        above, branch = tokens[above].head, above
    stack = _of_argument(tree, head, branch) if above == head else [*below[head]]
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


def _of_argument(tree: DependencyTree, head: int, branch: int) -> list[int]:
    """The dependents of a head above the predicate that belong to the argument, without the branch
    of the predicate.
    """
    carried = tree[branch].relation.partition(":")[0] in _CARRIERS
    kept = []
    for child in tree.children(head):
        relation = tree[child].relation.partition(":")[0]
        outside = relation in _OF_CLAUSE or child < branch if carried else relation in _OF_HEAD
        if child != branch and not outside:
            kept.append(child)
    return kept
