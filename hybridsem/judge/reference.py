"""Reference: what is the same in two sentences, so that words about it exclude each other.

                                             situation   scene   independent
    The shop is open.    The shop is closed.     |         |          #
    A man sings.         A woman sings.          #         |          #
    The dog barks.       The dog does not bark.  ^         ^          ^

A derivation has the relations of words by themselves; :func:`assuming` gives those of a reading.
"""

from __future__ import annotations

from dataclasses import replace

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.comparison.edits import ROLES, Edit, Kind
from hybridsem.comparison.logic import ALT, EQ, IND, Context
from hybridsem.facts.clock import Time
from hybridsem.facts.dates import Date
from hybridsem.facts.identifiers import Identifier
from hybridsem.judge.contexts import LogicalSentence
from hybridsem.judge.derivation import OTHER_NAME, OTHER_VALUE, Derivation
from hybridsem.judge.labels import Assume
from hybridsem.judge.verdict import OTHER_EVENT, OTHER_REFERENT

_WORDS = word_sets(read_table(__file__)["words"])
LOGICAL = frozenset({Kind.DENIAL, Kind.QUANTIFIER, Kind.SIGNATURE, Kind.MODAL})
"""Edits that exclude whatever the words refer to."""
EXCHANGES = (*ROLES, Kind.CROSSED, Kind.GOVERNOR)
SUBJECTS, OBJECTS = ("nsubj", "csubj"), ("obj", "iobj")
NAMED = frozenset({"PRON", "PROPN"})
NOMINAL = frozenset({"NOUN", "NUM", "SYM", "X"})
ASSERTING = frozenset({Context.SOME, Context.FACT, Context.MOST, Context.EVERY, Context.EVERY_OF})
"""Contexts in which what an indefinite refers to is there."""


def assuming(derived: Derivation | None, assume: Assume) -> Derivation | None:
    """Return a derivation with the relations of its edits under a reading."""
    if derived is None:
        return None
    edits = tuple(_under(edit, derived, assume) for edit in derived.edits)
    if assume is not Assume.INDEPENDENT:
        edits = _with_exchanges(edits, derived, assume)
    return derived if edits == derived.edits else replace(derived, edits=edits)


def _under(edit: Edit, derived: Derivation, assume: Assume) -> Edit:
    sibling = edit.kind is Kind.SIBLING and assume is Assume.SCENE
    if sibling and all(side.tags[at] in ("NOUN", "ADJ") for side, at in derived.first_words(edit)):
        edit = edit._replace(kind=Kind.WORD, relation=ALT)  # who holds a kite may fly it
    if edit.relation is not ALT or edit.kind in LOGICAL:
        return edit
    if assume is Assume.SCENE:
        return edit._replace(projected=edit.relation) if _is_asserted(edit, derived) else edit
    if edit.projected is not ALT:
        return edit
    if edit.kind is Kind.VALUE and edit.rule != OTHER_NAME and _is_bounded(edit, derived):
        return edit._replace(relation=IND, projected=IND)
    rule = OTHER_EVENT if assume is Assume.INDEPENDENT else _other(edit, derived)
    if not rule:
        return edit
    edit = edit._replace(projected=IND, rule=rule)
    # Of 16 pairs of SICK with opposite actions of an indefinite subject, 9 contradict.
    is_open = rule == OTHER_EVENT and assume is Assume.SITUATION and _is_action(edit, derived)
    return edit._replace(relation=IND, rule="") if is_open else edit


def _is_action(edit: Edit, derived: Derivation) -> bool:
    """Test if the first words of an edit are verbs in the progressive."""
    words = derived.first_words(edit)
    return all(side.tags[at] == "VERB" and at in side.participles for side, at in words)


def _with_exchanges(
    edits: tuple[Edit, ...], derived: Derivation, assume: Assume
) -> tuple[Edit, ...]:
    """Return the edits with exchanged places of an asymmetric relation as one that excludes."""
    moved = [at for at, edit in enumerate(edits) if edit.kind in EXCHANGES and edit.before.tokens]
    side = derived.sides[0]
    by_token = {edits[at].before.tokens[-1]: at for at in moved}
    tokens = [*by_token]
    if len(tokens) != 2 or not _is_asymmetric(side, tokens):
        return edits
    if assume is Assume.SITUATION and not all(refers(side, at) for at in tokens):
        return edits
    same = [at for at, edit in enumerate(edits) if edit.kind is Kind.RELATION]
    made = {at: EQ for at in same if {*edits[at].before.tokens} <= {*tokens}}
    made |= dict.fromkeys(moved, EQ) | {by_token[tokens[0]]: ALT}
    return tuple(
        edit._replace(relation=made[at], projected=made[at]) if at in made else edit
        for at, edit in enumerate(edits)
    )


def _is_asymmetric(side: LogicalSentence, tokens: list[int]) -> bool:
    """Test if a relation between two words cannot hold from the second to the first as well, one of
    them the subject.
    """
    heads = {side.tree[at].head for at in tokens} - {*tokens, -1}
    markers = {side.forms[child] for at in tokens for child in side.below[at]}
    if not any(side.bare[at] in SUBJECTS for at in tokens):
        return False
    known = {side.keys[at] for at in (*heads, *tokens)} & _WORDS["asymmetric"]
    return bool(known or markers & _WORDS["asymmetric_markers"])


def _is_asserted(edit: Edit, derived: Derivation) -> bool:
    """Test if the first words of an edit are in no context but of things that are there."""
    return all(
        each.context in ASSERTING
        for side, at in derived.first_words(edit)
        for each in side.contexts[at]
    )


def _is_bounded(edit: Edit, derived: Derivation) -> bool:
    """Test if a value that is read as exact is a bound: "under the tenth", "more than once"."""
    for side, words in zip(derived.sides, edit.sides, strict=True):
        at = min(words.tokens) - 1
        while at > 0 and side.tags[at] == "DET":
            at -= 1
        if at >= 0 and side.forms[at] in _WORDS["bounding"]:
            return True
    return False


def _other(edit: Edit, derived: Derivation) -> str:
    """Return the rule of an edit that is about other things in the second sentence, else ""."""
    alone = {
        at
        for each in derived.edits
        if each.kind in (Kind.ADDED, Kind.HEAD)
        for place, words in enumerate(each.sides)
        for at in ((place, token) for token in words.tokens)
    }
    found = ""
    for place, (side, words) in enumerate(zip(derived.sides, edit.sides, strict=True)):
        if not words.tokens:
            continue
        top = next(at for at in words.tokens if side.tree[at].head not in words.tokens)
        outside = (at for at in side.upward(top) if side.bare[at] not in _WORDS["phrasal"])
        phrase = next(outside, side.tree.root)
        is_value, relation = edit.kind is Kind.VALUE, side.bare[phrase]
        is_subject = relation in SUBJECTS
        if is_subject and side.keys[top] in _WORDS["counting"]:  # "fewer people", "more people"
            continue
        if is_subject and not is_value:
            return OTHER_REFERENT
        # "Ann wrote the song", "Bob wrote the song"
        if is_subject and (edit.rule == OTHER_NAME or _identifies(side, top, top != phrase)):
            if _has_one_subject(side, side.tree[phrase].head):
                continue
            return OTHER_REFERENT
        within = relation in OBJECTS and phrase != top and _is_definite(side, phrase)
        if within and (not is_value or edit.rule == OTHER_NAME):  # "Noah's essay"
            return OTHER_REFERENT
        about = [at for at in _about(side, phrase, top) if at not in words.tokens]
        of_kinds = edit.rule == OTHER_VALUE
        if not all(
            (refers(side, at) or (of_kinds and _is_no_event(side, at))) and (place, at) not in alone
            for at in about
        ):
            found = OTHER_EVENT
    return found


def _identifies(side: LogicalSentence, at: int, within: bool) -> bool:
    """Test if a value names the thing that is meant: a code, or a date, time or ordinal ``within``
    a phrase ("flight LH117", "the match on Friday", "the second floor").
    """
    value = side.value(at)
    return isinstance(value, Identifier) or (
        within and (isinstance(value, (Date, Time)) or side.tags[at] == "ADJ")
    )


def _has_one_subject(side: LogicalSentence, verb: int) -> bool:
    """Test if a verb is of an act with one subject: "wrote the song", "was elected mayor"."""
    if side.keys[verb] in _WORDS["posts"]:
        relations = {side.tree[child].relation for child in side.below[verb]}
        return "nsubj:pass" in relations and not relations.isdisjoint(("xcomp", "obj"))
    objects = side.children(verb, *OBJECTS) if side.keys[verb] in _WORDS["single"] else []
    return any(_is_definite(side, at) or side.tags[at] in NAMED for at in objects)


def _about(side: LogicalSentence, phrase: int, top: int) -> list[int]:
    """Return the subjects of the clause of a phrase; if a word is its verb, the objects too."""
    clauses = (at for at in side.upward(phrase) if side.children(at, *SUBJECTS))
    clause = next(clauses, side.tree.root)
    return side.children(clause, *(SUBJECTS if clause != top else SUBJECTS + OBJECTS))


def _is_definite(side: LogicalSentence, at: int) -> bool:
    """Test if a noun has a definite determiner or a possessor."""
    return any(
        side.forms[child] in _WORDS["definite"] or side.tree[child].relation == "nmod:poss"
        for child in side.below[at]
    )


def refers(side: LogicalSentence, at: int) -> bool:
    """Test if a noun or pronoun refers to the same thing in another sentence of the situation: a
    name, a definite phrase, a pronoun that is not indefinite, or a kind ("Tickets are free").
    """
    if side.tags[at] not in NOMINAL or _is_definite(side, at):
        return side.forms[at] not in _WORDS["indefinite"]
    marks = {side.forms[child] for child in side.children(at, "det", "amod")}
    known = marks.isdisjoint(_WORDS["indefinite"]) and not side.children(at, "nummod")
    return known and _is_no_event(side, at)


def _is_no_event(side: LogicalSentence, at: int) -> bool:
    """Test if a noun is no subject of a progressive, as kinds are not: "Dogs are running"."""
    return side.tree[at].head not in side.participles
