"""The query of a search by roles: the words in each slot, from named roles or a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hybridsem._utils.validation import problem
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.comparison.reading import word_weight
from hybridsem.comparison.sentence import VERB, Sentence
from hybridsem.english.lemmas import lemmatiser
from hybridsem.errors import InputError
from hybridsem.reader import Reader
from hybridsem.search.clauses import ROLES, Clauses
from hybridsem.search.storage import WORDS, storage_mode
from hybridsem.structures import Role, RoleStructure


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
