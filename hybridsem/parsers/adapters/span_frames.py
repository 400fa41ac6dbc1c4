"""Predicates with labelled spans of words, made elsewhere, as role structures.

    words       The  cat  did  n't  sleep  at  night
    predicate                        V               sleep.01
    arguments  [ARG0  ]      [NEG]          [TMP    ]
    frame      Agent "The cat", Verb "sleep", Time "at night", negated

An argument's role is the one it has, or its label's: one of the eight by name, a VerbNet role, a
PropBank label with its VerbNet roles, which ``hybridsem/data/roles.json`` has for many rolesets.
Where PropBank's number is all there is, ``ARG0`` is an Agent, ``ARG1`` the Patient of a verb that
changes its object and else a Theme, and so are the others. A continuation (``C-ARG1``) joins what
it continues; a reference (``R-ARG1``) has no role. A second Patient is the Theme where there is
none, and the other way round; else arguments of one role share it, so that no word is lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from hybridsem._utils.tables import word_set
from hybridsem._utils.weights import weight_file
from hybridsem.english.words import ARTICLES, BE_FORMS, MODAL_VERBS, MODALS, PRONOUNS
from hybridsem.parsers.srl.lexicon import Roleset
from hybridsem.parsers.trees.clauses import Phrases
from hybridsem.parsers.verbnet.general_roles import general_role
from hybridsem.parsers.verbnet.tables import PATIENT_OBJECT
from hybridsem.structures import (
    Argument,
    DependencyTree,
    Filler,
    Frame,
    Parsed,
    ParseFailure,
    Predicate,
    Role,
    RoleStructure,
)

PREDICATE_LABELS = frozenset({"v", "verb", "rel", "predicate"})
"""Labels, in lower case, of the predicate itself."""

_EIGHT = {role.value.lower(): role for role in Role}
_ONLY_A_NUMBER = {"ARG0": Role.AGENT} | {f"ARG{n}": Role.THEME for n in "12345A"}
# those that say how or why, as the release's names have them; the rest are in no role
_OTHER_MODIFIERS = {f"ARGM-{name}": Role.MANNER for name in ("ADV", "CAU", "COM", "PRP", "PRD")}
# Fewer than the stop words: a filler that holds "nobody" or "again" has them as content.
_FUNCTION_WORDS = (
    ARTICLES
    | BE_FORMS
    | frozenset(MODAL_VERBS)
    | frozenset(form for forms in PRONOUNS.values() for form in forms[:3])
    | word_set(
        """
        this that these those some any all both each every either neither no another such who whom
        whose which what there have has had having do does did of in on at by for with about against
        between among into onto through during before after above below to from up down out off over
        under within without across along around behind beside near past via until since upon per as
        than like toward towards throughout and or but nor so if because while when where very too
        just also only not n't 's
        """
    )
)

# PropBank marks them as predicates; they have no arguments.
_AUXILIARIES = frozenset({"be.03", "do.01", "have.01"})
_OTHER: dict[Role | None, Role] = {Role.PATIENT: Role.THEME, Role.THEME: Role.PATIENT}

Fill = Callable[[Sequence[int], int], Filler]


def structure_of_predicates(
    text: str,
    words: Sequence[str],
    predicates: Sequence[Predicate],
    *,
    tree: DependencyTree | None = None,
    truncated: bool = False,
) -> Parsed:
    """The structure of a sentence from its predicates.

    The main predicate is the first with an argument of its own that is inside no other's argument.
    Without a predicate it is a :class:`ParseFailure`.

    Args:
        text: The sentence.
        words: Its words.
        predicates: With their arguments, by the indices of ``words``.
        tree: A dependency tree of the same words, which tells the words that fill a role better.
        truncated: Whether the parser left out the end of the sentence.
    """
    if not predicates:
        return ParseFailure(text, "no predicate was found in it")
    fill = Phrases(tree).filler if tree is not None else _filling(words)
    predicates = [
        each for each in predicates if each.roleset not in _AUXILIARIES or each.arguments
    ] or predicates
    first = _main(predicates)
    ordered = [first, *(predicate for predicate in predicates if predicate is not first)]
    frames = tuple(_frame(predicate, words, fill) for predicate in ordered)
    return RoleStructure(text, frames, tree=tree, truncated=truncated)


def continued(tokens: Sequence[int], index: int) -> list[Argument]:
    """A predicate's words besides the one at ``index``, as its continuation; none if one word."""
    rest = tuple(t for t in tokens if t != index)
    return [Argument("C-V", rest, rest[0])] if rest else []


def role_of(argument: Argument, predicate: Predicate) -> Role | None:
    """The one of the eight roles for an argument; None if it has none, or an unknown label."""
    label = argument.label
    role = (
        argument.role
        or _EIGHT.get(label.lower())
        or general_role(label, argument.verbnet, predicate.roleset)
    )
    if role is None and label == "ARG1" and predicate.lemma in PATIENT_OBJECT:
        return Role.PATIENT
    return (
        role
        or _ONLY_A_NUMBER.get(label)
        or _OTHER_MODIFIERS.get(label)
        or general_role("", [label])
    )


@cache
def _rolesets() -> dict[str, str]:
    rolesets: dict[str, str] = json.loads(weight_file("roles.json"))["rolesets"]
    return rolesets


def _linked(argument: Argument, roleset: str | None) -> Argument:
    """With the VerbNet roles that the roleset's frame links to the label, where it has none."""
    if argument.verbnet or roleset is None or not argument.label.startswith("ARG"):
        return argument
    if (known := _rolesets().get(roleset)) is None:
        return replace(argument, verbnet=())
    _, names = Roleset.read(known).arguments.get(argument.label, (0, ()))
    return replace(argument, verbnet=names)


def content_words(phrase: str) -> tuple[str, ...]:
    """A phrase's words in lower case without function words; all of them if none is left."""
    words = [
        word.strip(".,;:!?\"'()’“”").removesuffix("'s").removesuffix("’s")
        for word in phrase.lower().split()
    ]
    words = [word for word in words if word]
    return (
        tuple(word for word in words if word not in _FUNCTION_WORDS)
        or tuple(words)
        or (phrase.strip().lower(),)
    )


def _filling(words: Sequence[str]) -> Fill:
    def fill(tokens: Sequence[int], _head: int) -> Filler:
        phrase = " ".join(words[t] for t in tokens)
        return Filler(phrase, content_words(phrase))

    return fill


def _main(predicates: Sequence[Predicate]) -> Predicate:
    def outermost(predicate: Predicate) -> bool:
        others = (other for other in predicates if other is not predicate)
        return not any(
            predicate.index in argument.tokens for other in others for argument in other.arguments
        )

    with_arguments = [predicate for predicate in predicates if predicate.arguments]
    return next(filter(outermost, with_arguments), (with_arguments or predicates)[0])


def _apart(arguments: Sequence[Argument]) -> tuple[Argument, ...]:
    """With a second Patient or Theme as the other of the two, where no argument is that."""
    roles: list[Role | None] = []
    given = {argument.role for argument in arguments}
    for argument in arguments:
        other = _OTHER.get(argument.role) if argument.role in roles else None
        roles.append(argument.role if other is None or other in given else other)
        given.add(roles[-1])
    return tuple(
        replace(argument, role=role) for argument, role in zip(arguments, roles, strict=True)
    )


def _frame(predicate: Predicate, words: Sequence[str], fill: Fill) -> Frame:
    taken: dict[Role, list[int]] = {Role.VERB: [predicate.index]}
    heads = {Role.VERB: predicate.index}
    used = {predicate.index}
    negated, modality = False, None
    linked = [_linked(argument, predicate.roleset) for argument in predicate.arguments]
    arguments = _apart(
        [replace(argument, role=role_of(argument, predicate)) for argument in linked]
    )
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
            heads.setdefault(role, argument.head if argument.head in left else left[0])
    fillers = {role: fill(sorted(taken[role]), heads[role]) for role in Role if role in taken}
    return Frame(
        predicate.lemma.replace("_", " "),
        {str(role): filler for role, filler in fillers.items()},
        negated,
        modality,
        roleset=predicate.roleset,
        arguments=arguments,
    )
