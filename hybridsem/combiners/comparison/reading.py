"""What is compared of a sentence: its content words, what governs each of them, what function words
say of it.

A word's *places* are the governors that it has, each with the relation: the role that a frame gives
it, or the syntactic relation in the tree. Diatheses are one form so: the subject of a passive has
the place of an object. Conjuncts have the place of the first of them, and a governor that is a
function word is passed over for what governs that.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.embeddings.arithmetic import word_frequencies
from hybridsem.english.function_words import SCALES
from hybridsem.english.numbers import number_value
from hybridsem.english.words import ARTICLES, MODALS, NEGATORS, QUESTION_WORDS
from hybridsem.structures import DependencyTree, Frame, Role, RoleStructure

__all__ = ["Place", "SentenceWords", "read_words"]

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "PRON", "X", "SYM", "INTJ"})
FUNCTION_RELATIONS = frozenset({"aux", "cop", "case", "cc", "mark", "punct", "det", "expl"})
SAME_PLACE = frozenset({"conj", "flat", "fixed", "goeswith"})
"""Relations to a word whose place the dependent shares."""
CLASS_WEIGHTS = {"PRON": 0.3, "ADV": 0.5}
LEAST = 0.25
"""The weight of a word that tells nothing, the most frequent one, beside 1."""
RARE = 10.0
"""The information, in nats, from which a word has all its weight."""
LONGEST_CHAIN = 20
QUANTIFIERS = SCALES["quantity"]
SILENT = ARTICLES | {"be", "do", "have", "'s", "’s", "that", "which", "who"}
"""Function words whose presence says nothing."""
DENYING = NEGATORS | {"without"}


class Place(NamedTuple):
    """A governor, by the number of its token, and the relation to it."""

    governor: int
    relation: str


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """A sentence as it is compared.

    ``words`` are the tokens that are content words, in order; ``weights`` (words,) what each
    counts, ``places`` and ``numbers`` belong to them. ``lemmas``, ``forms``, ``tags`` are of all
    tokens, as are what function words say of one: ``prepositions``, ``connectives``, ``modals``,
    ``quantifiers`` (None where there is none), and ``negations``, their number.
    """

    words: tuple[int, ...]
    weights: Float64Array
    places: tuple[tuple[Place, ...], ...]
    numbers: tuple[float | None, ...]
    lemmas: tuple[str, ...]
    forms: tuple[str, ...]
    tags: tuple[str, ...]
    prepositions: tuple[str | None, ...]
    connectives: tuple[str | None, ...]
    modals: tuple[str | None, ...]
    quantifiers: tuple[str | None, ...]
    negations: tuple[int, ...]
    function_words: frozenset[str]
    question: bool

    @property
    def denials(self) -> int:
        """How many words deny."""
        return sum(self.negations)


@cache
def _counts() -> tuple[dict[str, int], float]:
    counts = word_frequencies()
    return counts, float(sum(counts.values()))


@cache
def informativeness(form: str) -> float:
    """How much a word tells, in (0, 1]: by its frequency in UD English EWT."""
    counts, total = _counts()
    nats = -math.log((counts.get(form, 0) + 0.5) / total)
    return LEAST + (1 - LEAST) * min(1.0, nats / RARE)


def read_words(structure: RoleStructure) -> SentenceWords:
    """What is compared of a sentence, by its tree and frames, or by frames alone."""
    return _of_frames(structure) if structure.tree is None else _of_tree(structure, structure.tree)


def _of_tree(structure: RoleStructure, tree: DependencyTree) -> SentenceWords:
    bare = [token.relation.partition(":")[0] for token in tree]
    lemmas = tuple(
        token.text.lower() if token.pos == "PROPN" else token.lemma.lower() for token in tree
    )
    said = _Said(tree, bare, lemmas)
    words = tuple(
        i
        for i, token in enumerate(tree)
        if token.pos in CONTENT
        and bare[i] not in FUNCTION_RELATIONS
        and lemmas[i] not in DENYING
        and i not in said.spoken_for
        and any(map(str.isalnum, token.text))
    ) or tuple(i for i, token in enumerate(tree) if any(map(str.isalnum, token.text)))
    words = words or tuple(range(len(tree)))
    content = frozenset(words)
    roles = _roles(structure.frames, tree, bare)
    by_argument: defaultdict[int, list[Place]] = defaultdict(list)
    for (governor, argument), role in roles.items():
        by_argument[argument].append(Place(governor, role))
    places = tuple(_places(i, tree, bare, content, roles, by_argument) for i in words)
    forms = tuple(token.text.lower() for token in tree)
    return SentenceWords(
        words=words,
        weights=np.array(
            [CLASS_WEIGHTS.get(tree[i].pos, 1.0) * informativeness(forms[i]) for i in words]
        ),
        places=places,
        numbers=tuple(
            number_value(tree[i].text)
            if tree[i].pos == "NUM" or tree[i].text[0].isdigit()
            else None
            for i in words
        ),
        lemmas=lemmas,
        forms=forms,
        tags=tuple(token.pos for token in tree),
        prepositions=tuple(said.prepositions),
        connectives=tuple(said.connectives),
        modals=tuple(said.modals),
        quantifiers=tuple(said.quantifiers),
        negations=tuple(said.negations),
        function_words=frozenset(
            lemma
            for i, lemma in enumerate(lemmas)
            if i not in content and lemma not in SILENT and any(map(str.isalnum, lemma))
        ),
        question=tree.text.rstrip().endswith("?"),
    )


class _Said:
    """What function words say of their governors in a tree."""

    def __init__(self, tree: DependencyTree, bare: list[str], lemmas: tuple[str, ...]) -> None:
        size = len(tree)
        self.prepositions: list[str | None] = [None] * size
        self.connectives: list[str | None] = [None] * size
        self.modals: list[str | None] = [None] * size
        self.quantifiers: list[str | None] = [None] * size
        self.negations = [0] * size
        self.spoken_for: set[int] = set()
        for i, token in enumerate(tree):
            head, relation, lemma = token.head, bare[i], lemmas[i]
            if lemma in DENYING:
                self.negations[head if head >= 0 and token.pos != "PRON" else i] += 1
            if head < 0:
                continue
            if relation == "case":
                before = self.prepositions[head]
                self.prepositions[head] = f"{before} {lemma}" if before else lemma
            elif relation == "mark" or (relation == "advmod" and lemma in QUESTION_WORDS):
                self.connectives[head] = lemma
                self.spoken_for.add(i)
            elif relation == "aux" and lemma in MODALS:
                self.modals[head] = lemma
            elif lemma in QUANTIFIERS and relation in ("det", "amod", "advmod", "nummod"):
                if lemma not in ARTICLES and token.pos != "NUM":
                    self.quantifiers[head] = lemma
                    self.spoken_for.add(i)


def _roles(
    frames: tuple[Frame, ...], tree: DependencyTree, bare: list[str]
) -> dict[tuple[int, int], str]:
    """The role of each argument of a predicate, both by their tokens; of a clause with a copula the
    predicate is what the subject is said to be.
    """
    roles: dict[tuple[int, int], str] = {}
    for frame in frames:
        verb = frame.fillers.get(Role.VERB)
        if verb is None or verb.head is None:
            continue
        governor = verb.head
        if bare[governor] == "cop" and tree[governor].head >= 0:
            governor = tree[governor].head
        for role, filler in frame.fillers.items():
            if role != Role.VERB and filler.head is not None and filler.head != governor:
                roles.setdefault((governor, filler.head), str(role))
    return roles


def _first(i: int, tree: DependencyTree, bare: list[str]) -> int:
    """The first of the conjuncts, or parts of a name, that a word is one of."""
    for _ in range(LONGEST_CHAIN):
        if bare[i] not in SAME_PLACE or tree[i].head < 0:
            break
        i = tree[i].head
    return i


def _places(
    i: int,
    tree: DependencyTree,
    bare: list[str],
    content: frozenset[int],
    roles: dict[tuple[int, int], str],
    by_argument: dict[int, list[Place]],
) -> tuple[Place, ...]:
    """The places of a word, that in the tree first.

    Args:
        i: The word's token.
        tree: The sentence's tree.
        bare: Its relations without subtypes.
        content: The tokens that are content words.
        roles: By predicate and argument.
        by_argument: The same as places, by argument.
    """
    first = _first(i, tree, bare)
    governor = tree[first].head
    for _ in range(LONGEST_CHAIN):
        if governor < 0 or governor in content:
            break
        governor = tree[governor].head
    found = list(by_argument.get(i, ()))
    if first != i:
        found += by_argument.get(first, ())
    if governor >= 0 and all(place.governor != governor for place in found):
        relation = "nmod" if bare[first] == "obl" else bare[first]
        found.append(Place(governor, roles.get((governor, first), relation)))
    found.sort(key=lambda place: place.governor != governor)
    return tuple(dict.fromkeys(found))


def _of_frames(structure: RoleStructure) -> SentenceWords:
    """The words of a structure without a tree, each once, with the verbs as governors."""
    forms: list[str] = []
    places: list[tuple[Place, ...]] = []
    tags: list[str] = []
    known: dict[str, int] = {}
    negations: list[int] = []
    modals: list[str | None] = []

    def add(word: str, tag: str, place: tuple[Place, ...]) -> int:
        if word not in known:
            known[word] = len(forms)
            forms.append(word)
            tags.append(tag)
            places.append(place)
            negations.append(0)
            modals.append(None)
        else:
            places[known[word]] += place
        return known[word]

    for frame in structure.frames:
        verb = frame.fillers.get(Role.VERB)
        parts = (verb.words if verb is not None else ()) or tuple(frame.predicate.split()) or ("",)
        governor = add(parts[0].lower(), "VERB", ())
        negations[governor] += frame.negated
        modals[governor] = frame.modality
        for role, filler in frame.fillers.items():
            if role != Role.VERB:
                for word in filler.words:
                    if word.lower() != forms[governor]:
                        add(word.lower(), "NOUN", (Place(governor, str(role)),))
    none = (None,) * len(forms)
    return SentenceWords(
        words=tuple(range(len(forms))),
        weights=np.array([informativeness(form) for form in forms]),
        places=tuple(tuple(dict.fromkeys(of_word)) for of_word in places),
        numbers=tuple(number_value(form) if form[:1].isdigit() else None for form in forms),
        lemmas=tuple(forms),
        forms=tuple(forms),
        tags=tuple(tags),
        prepositions=none,
        connectives=none,
        modals=tuple(modals),
        quantifiers=none,
        negations=tuple(negations),
        function_words=frozenset(),
        question=structure.text.rstrip().endswith("?"),
    )
