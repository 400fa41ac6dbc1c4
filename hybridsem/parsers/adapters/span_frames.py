"""Predicates with labelled spans of words from other tools, as role structures.

    words       The  cat  did  n't  sleep  at  night
    predicate                        V               sleep.01
    arguments  [ARG0  ]      [NEG]          [TMP    ]
    frame      Agent "The cat", Verb "sleep", Time "at night", negated

An argument's role is its own, or that of its label: one of the eight by name, a VerbNet role, or a
PropBank label with its VerbNet roles, which ``hybridsem/data/roles.json`` has for many rolesets.
With only PropBank's number, ``ARG0`` is an Agent, ``ARG1`` the Patient of a verb that changes its
object, and others are Themes. A continuation (``C-ARG1``) joins its argument; a reference
(``R-ARG1``) has no role. A second Patient becomes the Theme if there is none, and vice versa; else
arguments of one role share it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from hybridsem import structures
from hybridsem._utils.tables import read_table, word_set
from hybridsem._utils.weights import weight_file
from hybridsem.english.words import ARTICLES, BE_FORMS, MODAL_VERBS, MODALS, PRONOUNS
from hybridsem.parsers.srl.lexicon import Roleset
from hybridsem.parsers.verbnet.general_roles import general_role
from hybridsem.parsers.verbnet.tables import PATIENT_OBJECT
from hybridsem.structures import Argument, Filler, Parsed, Predicate, Role

PREDICATE_LABELS = frozenset({"v", "verb", "rel", "predicate"})
"""Labels, in lower case, of the predicate itself."""

EIGHT = {role.value.lower(): role for role in Role}
"""The eight roles by their names in lower case."""
# The modifiers as in the release's names; the rest have no role.
_BY_LABEL = {"ARG0": Role.AGENT} | {f"ARG{n}": Role.THEME for n in "12345A"}
_BY_LABEL |= {f"ARGM-{name}": Role.MANNER for name in ("ADV", "CAU", "COM", "PRP", "PRD")}
# Fewer than the stop words: "nobody" and "again" are content of a filler.
_FUNCTION_WORDS = (
    ARTICLES
    | BE_FORMS
    | frozenset(MODAL_VERBS)
    | frozenset(form for forms in PRONOUNS.values() for form in forms[:3])
    | word_set(read_table(__file__)["function_words"])
)

# Marked as predicates in PropBank, without arguments.
_AUXILIARIES = frozenset({"be.03", "do.01", "have.01"})
_OTHER: dict[Role | None, Role] = {Role.PATIENT: Role.THEME, Role.THEME: Role.PATIENT}


def structure_of_predicates(
    text: str, words: Sequence[str], predicates: Sequence[Predicate], *, truncated: bool = False
) -> Parsed:
    """Return the structure of a sentence, or a :class:`ParseFailure` without a predicate. The main
    predicate is the first with an argument that is inside no other's argument.
    """
    if not predicates:
        return structures.ParseFailure(text, "no predicate was found in it")
    full = [each for each in predicates if each.roleset not in _AUXILIARIES or each.arguments]
    predicates = full or predicates
    with_arguments = [each for each in predicates if each.arguments] or predicates
    spans = [(each, argument.tokens) for each in predicates for argument in each.arguments]
    main = (
        each
        for each in with_arguments
        if not any(each.index in tokens for other, tokens in spans if other is not each)
    )
    first = next(main, with_arguments[0])
    ordered = sorted(predicates, key=lambda each: each is not first)
    frames = tuple(_frame(predicate, words) for predicate in ordered)
    return structures.RoleStructure(text, frames, truncated=truncated)


def continued(tokens: Sequence[int], index: int) -> list[Argument]:
    """Return a predicate's words other than the one at ``index`` as its continuation, if any."""
    rest = tuple(t for t in tokens if t != index)
    return [Argument("C-V", rest, rest[0])] if rest else []


def role_of(argument: Argument, predicate: Predicate) -> Role | None:
    """Return the general role of an argument, or None."""
    label = argument.label
    affected = label == "ARG1" and predicate.lemma in PATIENT_OBJECT
    return (
        argument.role
        or EIGHT.get(label.lower())
        or general_role(label, argument.verbnet, predicate.roleset)
        or (Role.PATIENT if affected else _BY_LABEL.get(label))
        or general_role("", [label])
    )


@cache
def _rolesets() -> dict[str, str]:
    rolesets: dict[str, str] = json.loads(weight_file("roles.json"))["rolesets"]
    return rolesets


def _with_roles(predicate: Predicate) -> tuple[Argument, ...]:
    """Return the arguments with VerbNet roles of their roleset and general roles. A second Patient
    or Theme becomes the other of the two, if free.
    """
    arguments = []
    for each in predicate.arguments:
        if not each.verbnet and predicate.roleset and each.label.startswith("ARG"):
            known = Roleset.read(_rolesets().get(predicate.roleset, "0 0")).arguments
            each = replace(each, verbnet=known.get(each.label, (0, ()))[1])
        arguments.append(replace(each, role=role_of(each, predicate)))
    given, roles = {each.role for each in arguments}, list[Role | None]()
    for each in arguments:
        other = _OTHER.get(each.role) if each.role in roles else None
        roles.append(each.role if other is None or other in given else other)
        given.add(roles[-1])
    return tuple(replace(each, role=role) for each, role in zip(arguments, roles, strict=True))


def content_words(phrase: str) -> tuple[str, ...]:
    """Return a phrase's content words in lower case, or all its words."""
    words = [
        word.strip(".,;:!?\"'()’“”").removesuffix("'s").removesuffix("’s")
        for word in phrase.lower().split()
    ]
    words = [word for word in words if word] or [phrase.strip().lower()]
    return tuple(word for word in words if word not in _FUNCTION_WORDS) or tuple(words)


def _frame(predicate: Predicate, words: Sequence[str]) -> structures.Frame:
    taken: dict[Role, list[int]] = {Role.VERB: [predicate.index]}
    used = {predicate.index}
    negated, modality = False, None
    arguments = _with_roles(predicate)
    whole = {argument.label: argument.role for argument in arguments}
    for argument in arguments:
        label = argument.label
        if label == "ARGM-NEG":
            negated = True
        elif label == "ARGM-MOD":
            word = words[argument.head].lower()
            modality = MODALS.get(word, word)
        role = Role.VERB if label == "C-V" else whole.get(label.removeprefix("C-"))
        left = [t for t in argument.tokens if t not in used]
        if role is not None and left:
            used.update(left)
            taken.setdefault(role, []).extend(left)
    phrases = {
        str(role): " ".join(words[t] for t in sorted(taken[role])) for role in Role if role in taken
    }
    return structures.Frame(
        predicate.lemma.replace("_", " "),
        {role: Filler(phrase, content_words(phrase)) for role, phrase in phrases.items()},
        negated,
        modality,
        roleset=predicate.roleset,
        arguments=arguments,
    )
