"""Dependency structures: a word's role is its path of relations from the root.

    "The dog was chased by a small cat."

    root: chased    nsubj: cat    nsubj:amod: small    obj: dog

Paths are comparable across constructions. The subject of a passive is an ``obj`` (an ``iobj`` next
to an object), its agent an ``nsubj``, a to-phrase next to an object an ``iobj``. Subtypes are
dropped. A conjunct, and the parts of a name, have the path of their governor. Words of one path
share a filler. Function words have none, except pronouns that are arguments.
"""

from __future__ import annotations

from hybridsem.english.words import MODALS, NEGATORS
from hybridsem.parsers.base import OverTrees
from hybridsem.parsers.trees.clauses import FUNCTION_RELATIONS, Phrases
from hybridsem.structures import DependencyTree, Filler, Frame, RoleStructure

_ARGUMENTS = frozenset({"iobj", "nsubj", "obj", "obl"})
_PASSIVE = frozenset({"aux:pass", "nsubj:pass", "csubj:pass"})
_JOINED = frozenset({"conj", "fixed", "flat", "goeswith"})


def structure(tree: DependencyTree) -> RoleStructure:
    """Return the structure of a UD tree: one frame of ``root`` and paths (``nsubj:amod``)."""
    phrases, root = Phrases(tree), tree.root
    paths, stack = {root: "root"}, [root]
    while stack:
        i = stack.pop()
        for c in tree.children(i):
            paths[c] = paths[i]
            if phrases.base[c] not in _JOINED:
                label = _label(phrases, c, i)
                paths[c] = label if paths[i] == "root" else f"{paths[i]}:{label}"
            stack.append(c)
    content = set(phrases.content(range(len(tree))))
    words: dict[str, list[int]] = {}
    for i, base in enumerate(phrases.base):
        kept = i in content or (base in _ARGUMENTS and tree[i].pos == "PRON")
        if i == root or (kept and base not in FUNCTION_RELATIONS):
            words.setdefault(paths[i], []).append(i)
    fillers = {}
    for path, found in words.items():
        lower = tuple(phrases.lower[i] for i in found)
        fillers[path] = Filler(tree.phrase(found), lower, tuple(found), phrases.head_of(found))
    below = tree.children(root)
    negated = any(phrases.lemma[c] in NEGATORS for c in below)
    modals = (MODALS.get(phrases.lemma[c]) for c in below if phrases.base[c] == "aux")
    voice = "active" if _PASSIVE.isdisjoint(phrases.relation[c] for c in below) else "passive"
    frame = Frame(phrases.lemma[root], fillers, negated, next(modals, None), voice)
    return RoleStructure(tree.text, (frame,), "dependency", tree, tree.truncated)


class DependencyParser(OverTrees):
    """A parser to dependency structures over ``trees``, a tree parser with UD's relations.

    >>> from hybridsem.registry import parser
    >>> (found,) = parser("embedded", "dependency").parse(["A dog barked."])
    >>> found.formalism, [frame.predicate for frame in found.frames]
    ('dependency', ['bark'])
    """

    structure = staticmethod(structure)


def _label(phrases: Phrases, i: int, above: int) -> str:
    """Return the relation of ``i`` to ``above``, normalised across constructions."""
    relation, base, below = phrases.relation[i], phrases.base[i], phrases.children(above)
    has_object = any(phrases.base[c] == "obj" for c in below)
    if relation in ("nsubj:pass", "csubj:pass"):
        return "iobj" if has_object else "obj"
    if base == "obl":
        passive = not _PASSIVE.isdisjoint(phrases.relation[c] for c in below)
        if relation == "obl:agent" or (passive and phrases.is_by_agent(i)):
            return "nsubj"
        if (passive or has_object) and phrases.preposition(i) == "to":
            return "iobj"
    return base
