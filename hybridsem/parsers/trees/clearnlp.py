"""From ClearNLP dependencies (the labels of spaCy's English pipelines) to Universal Dependencies.

ClearNLP makes function words heads, UD content words:

    ClearNLP   was <-prep- in <-pobj- Rome   is <-acomp- tall   left <-conj- right <-conj- up
    UD         was <-obl-  Rome <-case- in   is -cop-> tall     left <-conj- right, left <-conj- up

All changes use one operation, :meth:`_Draft.promote`: a word replaces its governor. It keeps a tree
with one root a tree with one root.

Labels: Choi & Palmer 2012, "Guidelines for the CLEAR Style Constituent to Dependency Conversion";
UD version 2 as in English EWT 2.16.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Iterable
from dataclasses import replace

from hybridsem._utils.tables import by_word, read_table, word_set
from hybridsem.english.words import BE_FORMS
from hybridsem.errors import InputError
from hybridsem.structures import DependencyTree

_TABLES = read_table(__file__)
_RENAMED = by_word(_TABLES["renamed"])
# Labels whose UD name depends on the governor: (below a noun, below anything else).
_BY_GOVERNOR = {label: (noun, other) for label, (noun, other) in _TABLES["by_governor"].items()}
_OBJECT = ("nmod", "obl")
_CLAUSE = ("acl", "advcl")
_ONLY_CLEARNLP = frozenset(_RENAMED) | frozenset(_BY_GOVERNOR) | {"neg"}

# The relation of an object that replaces its preposition; others are _OBJECT, and those in _KEPT
# stay: the root of "In the garden.", the attribute of "it is like a dream".
_PREPOSITIONS = {"agent": ("obl:agent", "obl:agent"), "dative": ("obl", "obl")}
_KEPT = word_set("root conj attr acomp oprd appos parataxis dep acl relcl ccomp xcomp advcl")

_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "SYM", "DET"})
_VERBAL = frozenset({"VERB", "AUX"})
_SUBJECTS = frozenset({"nsubj", "csubj", "nsubjpass", "csubjpass"})
_AUXILIARIES = frozenset({"aux", "aux:pass", "cop"})
_BE = BE_FORMS | {f"{mark}{clitic}" for mark in "'’" for clitic in ("s", "re", "m")}
_PREDICATIVE_ADVERBS = word_set(_TABLES["words"]["predicative_adverbs"])
# (relation, UPOS as spaCy's tag map has it) -> UPOS as EWT has it.
_POS = {("case", "SCONJ"): "ADP", ("mark", "ADP"): "SCONJ", ("advmod", "SCONJ"): "ADV"}


def is_clearnlp(labels: Iterable[str]) -> bool:
    """Test if some of the relations are ClearNLP's and not UD's."""
    return not _ONLY_CLEARNLP.isdisjoint(labels)


def to_ud(tree: DependencyTree, *, known: bool = False) -> DependencyTree:
    """Return the tree with UD structure and relations; auxiliaries and subordinators change UPOS. A
    tree without a ClearNLP relation is unchanged, unless it is ``known`` to be ClearNLP's. Raises
    :class:`InputError` if it is not a tree with one root.
    """
    if not tree.is_tree():
        fault = "the heads of this sentence are not a tree with one root"
        raise InputError(f"{fault}, got {tree.text[:60]!r}")
    if not known and not is_clearnlp(token.relation for token in tree):
        return tree
    draft = _Draft(tree)
    _prepositions(draft)
    _copulas(draft)
    _coordination(draft)
    _names(draft)
    return draft.tree()


class _Draft:
    """A tree under rearrangement."""

    def __init__(self, tree: DependencyTree) -> None:
        self.source = tree
        self.words = [token.text.lower() for token in tree]
        self.heads = [token.head for token in tree]
        self.relations = [token.relation for token in tree]
        self.pos = [token.pos for token in tree]
        self.relations[tree.root] = "root"
        self.children = [set(tree.children(index)) for index in range(len(tree))]
        order = [tree.root]
        for index in order:  # grows while it is read
            order.extend(tree.children(index))
        self.upwards = order[::-1]

    def labelled(self, index: int, *labels: str) -> list[int]:
        """Return the dependents of ``index`` with one of the relations, in order."""
        return sorted(child for child in self.children[index] if self.relations[child] in labels)

    def attach(self, index: int, governor: int) -> None:
        """Give ``index`` another governor, -1 for none."""
        if self.heads[index] >= 0:
            self.children[self.heads[index]].discard(index)
        if governor >= 0:
            self.children[governor].add(index)
        self.heads[index] = governor

    def promote(self, index: int, relation: str) -> None:
        """Swap ``index`` with its governor, which becomes its dependent by ``relation``."""
        governor = self.heads[index]
        self.attach(index, self.heads[governor])
        for sibling in (*self.children[governor], governor):
            self.attach(sibling, index)
        self.relations[governor] = relation

    def below(self, governor: int, choice: tuple[str, str]) -> str:
        return choice[governor < 0 or self.pos[governor] not in _NOMINAL]

    def tree(self) -> DependencyTree:
        rows = zip(self.source, self.heads, self.relations, self.pos, strict=True)
        tokens = (replace(token, head=h, relation=label, pos=pos) for token, h, label, pos in rows)
        return replace(self.source, tokens=tuple(tokens))


def _prepositions(draft: _Draft) -> None:
    """Promote objects over their prepositions, the lowest first: "out of the house"."""

    def complement_of(preposition: int) -> int | None:
        objects, clauses = draft.labelled(preposition, "pobj"), draft.labelled(preposition, "pcomp")
        return next(iter([*objects, *clauses]), None)

    for preposition in draft.upwards:
        complement = complement_of(preposition)
        if complement is None:
            continue
        clause = draft.relations[complement] == "pcomp" and draft.pos[complement] in _VERBAL
        governor, label = draft.heads[preposition], draft.relations[preposition]
        above = complement_of(governor) if governor >= 0 else None
        is_preposition = draft.relations[governor] in ("prep", "agent", "dative")
        is_preposition = is_preposition or draft.pos[governor] in ("ADP", "SCONJ")
        if label == "pcomp" or (label == "prep" and is_preposition and above is None):
            label = "pcomp" if clause else "pobj"
        elif label not in _KEPT:
            while above is not None:  # it will replace the governor, a preposition
                governor, above = above, complement_of(above)
            label = draft.below(governor, _CLAUSE if clause else _PREPOSITIONS.get(label, _OBJECT))
        draft.relations[complement] = label
        draft.promote(complement, "mark" if clause else "case")


def _copulas(draft: _Draft) -> None:
    """Promote the complement of "be" over it."""
    for verb in draft.upwards:
        forms = (draft.source[verb].lemma, draft.words[verb])
        if draft.relations[verb] in _AUXILIARIES | {"auxpass"} or _BE.isdisjoint(forms):
            continue
        subjects = draft.labelled(verb, *_SUBJECTS)
        complements = draft.labelled(verb, "attr", "acomp")
        if any(draft.words[child] == "there" for child in draft.labelled(verb, "expl")):
            if complements and not subjects:
                draft.relations[complements[0]] = "nsubj"
            continue
        # "Is this a dog?" comes with two predicates and no subject.
        if not subjects and len(complements) > 1:
            draft.relations[complements[0]] = "nsubj"
            complements = complements[1:]
        predicates = subjects or draft.relations[verb] in ("xcomp", "conj")
        if not complements and predicates and not draft.labelled(verb, "ccomp", "xcomp"):
            phrases = draft.labelled(verb, *_OBJECT)
            adverbs = draft.labelled(verb, "advmod", "npadvmod", "prt", "prep")
            adverbs = [child for child in adverbs if draft.words[child] in _PREDICATIVE_ADVERBS]
            complements = [child for child in phrases if child > verb] or adverbs or phrases
        if complements:
            predicate = next((child for child in complements if child > verb), complements[0])
            draft.relations[predicate] = draft.relations[verb]
            draft.promote(predicate, "cop")


def _coordination(draft: _Draft) -> None:
    """Attach conjuncts to the first one, a conjunction to the conjunct that follows it."""
    relations, heads = draft.relations, draft.heads
    conjuncts: dict[int, list[int]] = {}
    for index in reversed(draft.upwards):
        if relations[index] == "conj":
            while relations[heads[index]] == "conj":
                draft.attach(index, heads[heads[index]])
            insort(conjuncts.setdefault(heads[index], []), index)
    for index in draft.upwards:
        if relations[index] == "cc":
            governor = heads[index]
            first = heads[governor] if relations[governor] == "conj" else governor
            others = conjuncts.get(first, [])
            following = bisect(others, index)
            if following < len(others):
                draft.attach(index, others[following])


def _names(draft: _Draft) -> None:
    """Give relations their UD names, and words the matching UPOS."""
    for index, label in enumerate(draft.relations):
        governor, pos = draft.heads[index], draft.pos[index]
        if label in _BY_GOVERNOR:
            relation = draft.below(governor, _BY_GOVERNOR[label])
        elif label == "neg":
            relation = "det" if pos == "DET" else "advmod"
        elif label == "aux" and draft.words[index] == "to":
            relation = "mark"
        elif label == "nmod" and index < governor and not draft.labelled(index, "case"):
            relation = "compound"
        else:
            relation = _RENAMED.get(label, label)
        draft.relations[index] = relation
    for index, relation in enumerate(draft.relations):
        pos = draft.pos[index]
        if relation in _AUXILIARIES:
            draft.pos[index] = "AUX"
        elif pos == "AUX":
            draft.pos[index] = "VERB"
        else:
            draft.pos[index] = _POS.get((relation, pos), pos)
