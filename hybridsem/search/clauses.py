"""The clauses of a sentence: what fills each role, with the direction of changes; role queries.

    convert PDF files to images    Patient and Source: PDF files        Result: images
    a PDF to image converter       Theme and Source: PDF                Result: image
    fly from Paris to London       Trajectory and Source: Paris         Location and Result: London

Source and Result come with the eight roles: ``from``, ``to``, ``into`` and the like tell them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

from hybridsem._typing import IntArray
from hybridsem._utils.tables import by_word, read_table, word_sets
from hybridsem._utils.validation import problem
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.comparison.reading import word_weight
from hybridsem.comparison.sentence import NOUNS, VERB, Sentence
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.lexicon import lexicon
from hybridsem.errors import InputError
from hybridsem.parsers.verbnet.tables import PREPOSITIONS_BY_VERB, THEME
from hybridsem.reader import Reader
from hybridsem.search.storage import WORDS, Outline, storage_mode
from hybridsem.structures import Role, RoleStructure

Number = TypeVar("Number", int, IntArray)
SOURCE, RESULT = "Source", "Result"
ROLES = (*map(str, Role), SOURCE, RESULT)
"""The roles that a query may name."""
_ROLES = frozenset(ROLES)
UNDERGOERS = frozenset({Role.PATIENT, Role.THEME})

_TABLES = read_table(__file__)
_DIRECTIONS, _NOUN_ROLES = by_word(_TABLES["directions"]), by_word(_TABLES["nouns"])
_WORDS = word_sets(_TABLES["words"])
_OUTCOMES = _WORDS["outcomes"]
CHANGES = _WORDS["changes"]
"""Verbs that mean the same where a result is named: "turn into", "convert to"."""
_INTO = frozenset[str]().union(
    *(verbs for verbs, roles in PREPOSITIONS_BY_VERB["into"] if roles == THEME)
)
_OBJECTS = frozenset({"object", "of", ""})
_OWN_CLAUSES = frozenset({"acl", "advcl"})
"""Relations that begin a separate clause, which is not part of the governor's phrase."""
_COMPOUND, _OF = "compound", "of"


def posting(lemma: Number, role: str) -> Number:
    """Return the key of a lemma, or of several, in a role, in the inverted file of an index."""
    return lemma * len(ROLES) + ROLES.index(role)


class Argument(NamedTuple):
    """A content word with a role under a predicate, and its syntactic position there."""

    word: int
    role: str
    syntax: str


class Filler(NamedTuple):
    """The content words of a phrase, its head first. Those in ``cores`` may stand for it: the head,
    the nouns compounded with it, and its complement with "of".
    """

    words: list[int]
    cores: list[int]


class Clauses:
    """The clauses and phrases of a sentence; each phrase is read once."""

    def __init__(self, words: Outline | Sentence) -> None:
        self.words = words
        self._phrases: dict[int, Filler] = {}

    def of(
        self, nouns: Container[str] = (), wanted: Callable[[int], bool] = lambda _: True
    ) -> dict[int, list[Argument]]:
        """Return the arguments of each ``wanted`` predicate, by its token: of verbs, and of nouns
        with one of the given lemmas. An argument with a direction may occur twice, its own role
        first.
        """
        sentence, tags = self.words, self.words.tags
        named = {
            token
            for token in sentence.words
            if tags[token] == "NOUN" and sentence.lemmas[token] in nouns
        }
        clauses: defaultdict[int, list[Argument]] = defaultdict(list)
        for i, places in enumerate(sentence.places):
            for governor, relation, syntax in places:
                role: str | None = relation if relation in _ROLES else None
                if role is None and governor in named:
                    role = _NOUN_ROLES.get(syntax or relation)
                elif role is None and tags[governor] == "VERB":
                    role = _DIRECTIONS.get(syntax)
                if role is not None:
                    clauses[governor].append(Argument(i, role, syntax))
        for token in sentence.words:
            if tags[token] == "VERB" or token in named:
                clauses.setdefault(token, [])
        return {
            governor: list(dict.fromkeys(self._directed(governor, arguments)))
            for governor, arguments in clauses.items()
            if wanted(governor)
        }

    def role_words(self) -> set[tuple[str, str]]:
        """Return the lemmas that may fill a role in some clause, whatever the query, each with the
        role: all words of the phrase that has it, and for the verb the predicate.
        """
        found, words = set(), self.words
        for nouns in ((), frozenset(words.lemmas)):
            for governor, arguments in self.of(nouns).items():
                found.add((words.lemmas[governor], str(Role.VERB)))
                for word, role, _ in arguments:
                    found |= {(words.word_lemmas[j], role) for j in self.phrase(word).words}
        return found

    def phrase(self, head: int) -> Filler:
        """Return the content words of the phrase of a content word."""
        if (phrase := self._phrases.get(head)) is None:
            phrase = self._phrases[head] = Filler([head], [head])
            for word in phrase.words:  # grows in the loop
                for j, is_core in self._below.get(self.words.words[word], ()):
                    if j not in phrase.words:
                        phrase.words.append(j)
                        if is_core and word in phrase.cores:
                            phrase.cores.append(j)
        return phrase

    @cached_property
    def _below(self) -> Mapping[int, list[tuple[int, bool]]]:
        """The content words right below each token, and if they may stand for it."""
        below: defaultdict[int, list[tuple[int, bool]]] = defaultdict(list)
        for j, (token, places) in enumerate(zip(self.words.words, self.words.places, strict=True)):
            if places and places[0].relation not in _OWN_CLAUSES:
                governor, relation, syntax = places[0]
                # "of" before the noun is a possessive: "the bank's manager".
                is_core = relation == _COMPOUND or (syntax == _OF and token > governor)
                below[governor].append((j, is_core))
        return below

    def _directed(self, governor: int, arguments: list[Argument]) -> list[Argument]:
        """Return the arguments of a predicate, then those that are Source or Result as well."""
        lemma, is_noun = self.words.lemmas[governor], self.words.tags[governor] == "NOUN"
        if is_noun:
            arguments = self._joined(governor, arguments)
        objects = [a for a in arguments if a.role in UNDERGOERS and a.syntax in _OBJECTS]
        if not objects and lemma in CHANGES:  # "the prince turned into a frog"
            objects = [a for a in arguments if a.syntax == "subject"]
        is_change = is_noun and _names_change(lemma)
        own, directed, changed = list[Argument](), list[Argument](), False
        for argument in arguments:
            word, role, syntax = argument
            if direction := _DIRECTIONS.get(syntax):
                argument = Argument(word, direction, syntax)
                outcome = syntax in _OUTCOMES or role == Role.THEME or is_change
                moved = bool(objects) and (direction == SOURCE or outcome)
                changed |= moved and direction == RESULT
                if not moved or role not in UNDERGOERS:
                    directed.append(argument)
                    argument = Argument(word, role, syntax)
            own.append(argument)
        for word, _, _ in objects:  # "documents from PDF into PNG"
            for j in self.phrase(word).words[1:]:
                syntax = self.words.places[j][0].syntax
                if direction := _DIRECTIONS.get(syntax):
                    directed.append(Argument(j, direction, syntax))
                    changed |= direction == RESULT and (syntax in _OUTCOMES or is_change)
        if changed and SOURCE not in [a.role for a in (*own, *directed)]:
            directed += [Argument(word, SOURCE, syntax) for word, _, syntax in objects]
        return own + directed

    def _joined(self, governor: int, arguments: list[Argument]) -> list[Argument]:
        """Return the arguments of a noun, with what a compound such as "PDF to image converter" has
        before "to" as its Theme, and the rest of the compound as the Result.
        """
        for first, _, preposition in self.words.places[self.words.position[governor]]:
            between = self.words.tags[first + 1 : governor]
            compound = [a for a in arguments if not a.syntax]
            if (
                _NOUN_ROLES.get(preposition) == RESULT
                and self.words.tags[first] in NOUNS
                and first in self.words.position
                and compound
                and "DET" not in between
            ):
                others = [a for a in arguments if a.syntax]
                into = [Argument(a.word, a.role, preposition) for a in compound]
                return [Argument(self.words.position[first], Role.THEME, ""), *into, *others]
        return arguments


@lru_cache(4096)
def _names_change(noun: str) -> bool:
    """Return True if a noun is of the family of a verb that makes one thing into another."""
    return any(verb in _INTO for verb, _ in lexicon().derived(noun, "NOUN"))


# -- the query of a search by roles: the words in each slot, from named roles or a sentence


class Word(NamedTuple):
    """A word of a slot; ``head`` of its phrase."""

    lemma: str
    tag: str
    weight: float
    head: bool


@dataclass(frozen=True)
class SlotQuery:
    """The query's words in each role; ``denied`` if the predicate is negated. With ``complete`` a
    hit fills each slot, otherwise an empty slot only lowers the score.
    """

    slots: Mapping[str, tuple[Word, ...]]
    denied: bool = False
    complete: bool = False


def slot_query(model: Reader, asked: str | Mapping[str, str]) -> SlotQuery:
    """Return the query of the given roles, or of a sentence's main predicate. Raises
    :class:`InputError` if the index stores no roles, or the sentence has none.
    """
    named = {} if isinstance(asked, str) else _named_roles(asked)
    if storage_mode(model) != WORDS:
        raise InputError("queries by roles need an index of the model 'hybrid'; build one")
    if not isinstance(asked, str):
        slots = {role: _phrase(model, role, text) for role, text in named.items()}
        return SlotQuery(slots, complete=True)
    (structure,) = model.parts.parse([asked])
    if not isinstance(structure, RoleStructure):
        raise InputError(f"the query has no roles: {structure.reason}")
    sentence = _read(model, structure)
    clauses = (read := Clauses(sentence)).of()
    verb = structure.main.fillers.get(Role.VERB)
    governor = verb.head if verb is not None and verb.head in clauses else next(iter(clauses), None)
    if governor is None:
        raise InputError("the query has no predicate with roles; ask by meaning, or name the roles")
    slots, words = {VERB: _asked(sentence, [governor], governor)}, sentence.words
    roles = {argument.word: argument.role for argument in reversed(clauses[governor])}
    for i, role in sorted(roles.items()):
        tokens = [words[j] for j in sorted(read.phrase(i).words)]
        slots[role] = _asked(sentence, tokens, words[i])
    return SlotQuery(slots, bool(sentence.negations[governor] % 2))


def _read(model: Reader, structure: RoleStructure) -> Sentence:
    """Read a sentence as the model compares it."""
    combiner = model.parts.combiner
    assert isinstance(combiner, HybridCombiner)  # as storage_mode has checked
    return combiner.sentence(structure)


def _asked(sentence: Sentence, tokens: Sequence[int], head: int) -> tuple[Word, ...]:
    forms, lemmas, tags = sentence.forms, sentence.lemmas, sentence.tags
    return tuple(
        Word(lemmas[at], tags[at], word_weight(forms[at], tags[at]), at == head) for at in tokens
    )


def _phrase(model: Reader, role: str, text: str) -> tuple[Word, ...]:
    """Return the words of the requested phrase of a role, with the head."""
    if role == Role.VERB:
        parts = text.lower().split()
        lemma = lemmatiser()(parts[parts[0] == "to" and len(parts) > 1], "VERB")
        return (Word(lemma, "VERB", 1.0, True),)
    (structure,) = model.parts.parse([text])
    if not isinstance(structure, RoleStructure) or structure.tree is None:
        return (Word(text.lower(), "NOUN", 1.0, True),)
    sentence, root = _read(model, structure), structure.tree.root
    head = root if root in sentence.words else sentence.words[-1]
    return _asked(sentence, sentence.words, head)


def _named_roles(given: Mapping[str, str]) -> dict[str, str]:
    known = {role.lower(): role for role in ROLES}
    if unknown := [name for name in given if name.lower() not in known]:
        raise InputError(f"unknown role {unknown[0]!r}; the roles are {', '.join(known)}")
    for name, text in given.items():
        if (why := problem(text)) is not None:
            raise InputError(f"{name}: {why}")
    return {known[name.lower()]: text for name, text in given.items()}
