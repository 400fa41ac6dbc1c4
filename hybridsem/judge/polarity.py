"""The contexts of every word of a tree, and the direction that they give it.

    No   dog  that barks   bites  without  a reason         up, down or neither:
    up   down ....... down down   down     up ...           "a reason" is within two contexts

A *context* is what a quantifier, a negation, a verb such as "fail", a conditional, "without" or
"than" makes of what is within its scope. It maps the relation of two phrases to the relation of the
wholes that have them (its *projection*), and so has a direction: upward where a more general phrase
makes a more general whole. Contexts compose. The inventory follows MacCartney & Manning (2009), van
Benthem (1986), Hu & Moss (2018) and Chen & Gao (2021).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, StrEnum
from functools import reduce
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import word_set
from hybridsem.english.numbers import UNITS, number_value
from hybridsem.english.signatures import DOWNWARD, RAISING, Complement, signature
from hybridsem.english.words import NOT
from hybridsem.structures import DependencyTree

__all__ = [
    "QUANTIFIERS",
    "Context",
    "Quantified",
    "Relation",
    "Within",
    "complement_form",
    "contexts",
    "direction",
    "licensed",
    "negators",
    "numbers_of",
    "project",
    "quantifiers",
    "unit_of",
]


class Relation(StrEnum):
    """How one phrase or sentence is related to another (MacCartney & Manning 2009)."""

    EQUIVALENT = "="
    FORWARD = "<"
    """The first is more specific: it entails the second."""
    REVERSE = ">"
    NEGATION = "^"
    """One of the two is true."""
    ALTERNATION = "|"
    """Not both are true."""
    COVER = "v"
    """One of the two, or both, are true."""
    INDEPENDENT = "#"

    @property
    def turned(self) -> Relation:
        """The same from the second to the first."""
        return TURNED.get(self, self)


TURNED = MappingProxyType({Relation.FORWARD: Relation.REVERSE, Relation.REVERSE: Relation.FORWARD})


class Context(Enum):
    """A context, by what it makes of ``= < > ^ | v #``."""

    def __init__(self, name: str, images: str) -> None:
        self.title = name
        images = images.replace(" ", "")
        self.projection = dict(zip(Relation, map(Relation, images), strict=True))

    NEGATION = "negation", "= > < ^ v | #"
    NO = "no", "= > < | # | #"
    EVERY_OF = "of every", "= > < | # | #"
    EVERY = "every", "= < > | | # #"
    SOME = "some", "= < > v # v #"
    MOST = "most", "= < > | | # #"
    UP = "upward", "= < > # # # #"
    DOWN = "downward", "= > < # # # #"
    NEITHER = "neither", "= # # # # # #"
    FACT = "fact", "= < > ^ | v #"
    """What is presupposed, and what a negation is raised from."""


def project(relation: Relation, within: Iterable[Context]) -> Relation:
    """The relation of two wholes that differ in one phrase.

    Args:
        relation: Of the phrases.
        within: The contexts of the phrase, innermost first.

    >>> str(project(Relation.FORWARD, [Context.NEGATION]))
    '>'
    """
    return reduce(lambda made, context: context.projection[made], within, relation)


def direction(within: Iterable[Context]) -> int:
    """1 for upward, -1 for downward, 0 for neither.

    >>> direction([Context.NO, Context.NEGATION]), direction([Context.NEITHER])
    (1, 0)
    """
    made = project(Relation.FORWARD, within)
    return {Relation.FORWARD: 1, Relation.REVERSE: -1}.get(made, 0)


QUANTIFIERS: dict[str, tuple[Context | None, Context | None, str]] = {
    "every": (
        *(Context.EVERY_OF, Context.EVERY),
        "every each all everyone everybody everything everywhere whoever whatever whichever",
    ),
    "both": (Context.NEITHER, Context.EVERY, "both"),
    "no": (
        *(Context.NO, Context.NO),
        "no none nobody no-one no_one nothing neither hardly_any almost_no "
        "almost_none scarcely_any barely_any no_single",
    ),
    "few": (
        *(Context.DOWN, Context.DOWN),
        "few very_few so_few too_few",
    ),
    "at most": (
        *(Context.DOWN, Context.DOWN),
        "at_most_N less_than_N fewer_than_N no_more_than_N not_more_than_N under_N up_to_N "
        "N_or_fewer N_or_less almost_N nearly_N",
    ),
    "exactly": (Context.NEITHER, Context.NEITHER, "exactly_N only_N just_N precisely_N"),
    "most": (
        *(Context.NEITHER, Context.MOST),
        "most almost_every almost_all almost_everyone almost_everybody nearly_all nearly_every "
        "almost_everything",
    ),
    "many": (
        *(Context.NEITHER, Context.SOME),
        "many lots plenty a_great_deal a_great_many dozens hundreds thousands millions "
        "a_large_number a_majority a_lot quite_a_few so_many",
    ),
    "at least": (
        *(Context.SOME, Context.SOME),
        "at_least_N more_than_N no_less_than_N no_fewer_than_N not_less_than_N over_N N_or_more "
        "at_least_a_few",
    ),
    "some": (
        *(Context.SOME, Context.SOME),
        "some much several someone somebody something a_number a_couple various",
    ),
    "a few": (Context.SOME, Context.SOME, "a_few only_a_few just_a_few a_handful"),
    "any": (None, None, "any anyone anybody anything"),
    "a": (None, None, "a an another"),
    "the": (None, None, "the this that these those"),
    "number": (None, None, "N"),
}
"""What each makes of its restrictor and of the rest of its clause, and its words; N is a number."""
_WORDS = {
    tuple(phrase.split("_")): name
    for name, (_, _, words) in QUANTIFIERS.items()
    for phrase in words.split()
}
_LONGEST = max(map(len, _WORDS))
_MODIFIES = (
    "det",
    "cc",
    "nummod",
    "amod",
    "advmod",
    "predet",
    "case",
    "fixed",
    "quantmod",
    "nmod:npmod",
)
_WITHIN = ("nmod", "conj", "appos", "compound", "amod", "nummod", "det", "acl", "flat")
DENYING = NOT | {"never", "hardly", "scarcely", "barely", "rarely", "seldom", "unless"}
"""Adverbs that deny their clause."""
CONDITIONS = frozenset({"if", "unless", "whether", "before", "until", "lest"})
SUPERLATIVE = frozenset({"first", "last", "only", "latest", "sole", "second", "third", "next"})
NOT_SUPERLATIVE = word_set("forest west test best rest interest request guest chest nest")


class Quantified(NamedTuple):
    """A quantifier: its name in :data:`QUANTIFIERS`, its tokens, the head of its phrase, and its
    number, if any.
    """

    name: str
    tokens: tuple[int, ...]
    head: int
    number: float | None = None


def quantifiers(tree: DependencyTree) -> list[Quantified]:
    """The quantifiers of a tree, in order; of several that begin at a word, the longest."""
    forms = [token.text.lower() for token in tree]
    numbers = numbers_of(tree)
    keys = ["N" if n is not None else form for form, n in zip(forms, numbers, strict=True)]
    found, at = [], 0
    while at < len(keys):
        for length in range(min(_LONGEST, len(keys) - at), 0, -1):
            name = _WORDS.get(tuple(keys[at : at + length]))
            if name is not None and (length > 1 or _quantifies(tree, at, name)):
                while keys[at + length - 1 : at + length + 1] == ["N", "N"]:  # "5 million"
                    length += 1
                tokens = tuple(range(at, at + length))
                number = next((numbers[i] for i in tokens if numbers[i] is not None), None)
                found.append(Quantified(name, tokens, _phrase_head(tree, tokens), number))
                at += length - 1
                break
        at += 1
    return found


def unit_of(tree: DependencyTree, at: int) -> tuple[str, float] | None:
    """The base of a counted unit of measure, and how much of it that is; None for other words."""
    counted = at >= 0 and any(tree[child].relation == "nummod" for child in tree.children(at))
    return UNITS.get(tree[at].lemma.lower()) if counted else None


def numbers_of(tree: DependencyTree) -> list[float | None]:
    """The number that each word is, or is a part of: "5 million"; of a measure in its base unit."""
    numeral = [token.pos == "NUM" or token.text.lower() in ("half", "dozen") for token in tree]
    found: list[float | None] = [None] * len(tree)
    at = 0
    while at < len(tree):
        end = at
        while end < len(tree) and numeral[end]:
            end += 1
        if end > at:
            value = number_value(" ".join(token.text for token in tree.tokens[at:end]))
            for i in range(at, end):
                number = number_value(tree[i].text) if value is None else value
                unit = unit_of(tree, tree[i].head)
                found[i] = number if number is None or unit is None else number * unit[1]
        at = end + 1
    return found


def _quantifies(tree: DependencyTree, at: int, name: str) -> bool:
    token = tree[at]
    if name == "the":
        return token.relation.startswith("det")
    if token.text.lower() == "no":
        longer = at + 1 < len(tree) and tree[at + 1].text.lower() == "longer"
        return not longer and token.pos in ("DET", "PRON")
    if token.text.lower() == "neither" and token.pos == "CCONJ":
        return token.head > at and tree[token.head].pos in ("NOUN", "PROPN", "PRON")
    if name == "every" and token.relation == "advmod":
        return False
    return token.pos in ("DET", "PRON", "ADJ", "NUM", "NOUN") or name in ("any", "few")


def _phrase_head(tree: DependencyTree, tokens: Sequence[int]) -> int:
    """The head of the phrase that a quantifier quantifies."""
    last = tokens[-1]
    for at in reversed(tokens):
        head = tree[at].head
        if head not in tokens and (head > last or head < 0 or head < tokens[0]):
            last = at
            break
    head = tree[last].head
    modifies = tree[last].relation.partition(":")[0] in _MODIFIES
    return head if modifies and head > last else last


def _clause(tree: DependencyTree, at: int) -> int:
    """The predicate whose argument a phrase is, or is a part of; itself where it is none."""
    while tree[at].head >= 0 and tree[at].relation.partition(":")[0] in _WITHIN:
        relation, at = tree[at].relation, tree[at].head
        if relation.startswith("acl"):
            return at
    if tree[at].head < 0 or tree[at].relation.partition(":")[0] in (
        *("advcl", "ccomp", "xcomp", "parataxis"),
    ):
        return at
    return tree[at].head


def _scope(
    tree: DependencyTree, top: int, start: int, others: Sequence[Quantified] = ()
) -> set[int]:
    """What is below a word from a place on, without conjuncts that have a subject of their own, or
    one of some quantifiers.
    """
    heads = {one.head for one in others}
    found, todo = {top}, [top]
    while todo:
        for child in tree.children(todo.pop()):
            relation = tree[child].relation.partition(":")[0]
            own = child in heads or _has_subject(tree, child)
            if (relation == "conj" and own) or relation == "parataxis":
                continue
            found.add(child)
            todo.append(child)
    return {at for at in found if at >= start or at == top}


def _has_subject(tree: DependencyTree, at: int) -> bool:
    return any(tree[child].relation.startswith(("nsubj", "csubj")) for child in tree.children(at))


class _Operator(NamedTuple):
    context: Context
    scope: frozenset[int]
    source: int


class Within(NamedTuple):
    """A context that a word is in, and the token that makes it."""

    context: Context
    source: int


def negators(tree: DependencyTree) -> dict[int, int]:
    """The words that deny a clause or phrase, and the words that they deny."""
    found = {}
    within = {at for one in quantifiers(tree) for at in one.tokens}
    for at, token in enumerate(tree):
        if at in within:
            continue
        form = token.text.lower()
        longer = form == "no" and at + 1 < len(tree) and tree[at + 1].text.lower() == "longer"
        if form in DENYING or token.lemma.lower() == "not" or longer or form == "neither":
            denied = token.head if token.head >= 0 else at
            if tree[denied].text.lower() in ("longer", "ever") and tree[denied].head >= 0:
                denied = tree[denied].head
            focus = tree[at + 1].text.lower() if at + 1 < len(tree) else ""
            if focus not in ("only", "just", "merely", "simply"):
                found[at] = denied
    return found


def _operators(tree: DependencyTree) -> Iterator[_Operator]:
    found = quantifiers(tree)
    starts = {one.tokens[0]: one for one in found}
    for one in found:
        restrictor, body, _ = QUANTIFIERS[one.name]
        own = set(one.tokens)
        phrase = _scope(tree, one.head, one.tokens[0], found) - own
        rest = _body(tree, one) - own - phrase
        if one.name in ("no", "any"):  # "nothing but work"
            but = next((at for at in sorted(rest | phrase) if tree[at].text.lower() == "but"), None)
            if but is not None:
                phrase, rest = ({at for at in some if at < but} for some in (phrase, rest))
        if one.name == "any" and restrictor is None:
            continue
        if restrictor:
            yield _Operator(restrictor, frozenset(phrase), one.tokens[0])
        if body:
            yield _Operator(body, frozenset(rest), one.tokens[0])
    for at, denied in negators(tree).items():
        after = starts.get(at + 1)
        if after is not None and after.name not in ("a", "the", "number", "any"):
            scope = _scope(tree, after.head, at + 1) | _body(tree, after) | set(after.tokens)
        else:
            scope = _scope(tree, denied, at + 1)
        yield _Operator(Context.NEGATION, frozenset(scope - {at}), at)
    for at, token in enumerate(tree):
        yield from _of_word(tree, at, token.lemma.lower(), token.text.lower())


def _body(tree: DependencyTree, one: Quantified) -> set[int]:
    clause = _clause(tree, one.head)
    return _scope(tree, clause, one.tokens[-1] + 1)


def _of_word(tree: DependencyTree, at: int, lemma: str, form: str) -> Iterator[_Operator]:
    """The contexts that a word makes by itself."""
    token = tree[at]
    below = tree.children(at)
    for child in below:
        relation = tree[child].relation.partition(":")[0]
        form_of = complement_form(tree, child)
        if form_of is not None:
            known = signature(lemma, form_of)
            if known is not None:
                yield _Operator(_complement(lemma, known), frozenset(tree.subtree(child)), at)
        elif lemma in DOWNWARD and (
            relation == "obj"
            or (relation in ("nmod", "obl") and _marker(tree, child) in ("of", "from"))
        ):
            yield _Operator(Context.DOWN, frozenset(tree.subtree(child)), at)
    head = token.head
    if head < 0:
        return
    relation = token.relation.partition(":")[0]
    if relation == "mark" and form in CONDITIONS:
        context = Context.NEITHER if form == "whether" else Context.DOWN
        yield _Operator(context, frozenset(tree.subtree(head)) - {at}, at)
    elif form in ("without", "than", "besides") and relation in ("case", "mark"):
        yield _Operator(Context.DOWN, frozenset(tree.subtree(head)) - {at}, at)
    elif form == "too" and relation == "advmod":
        for child in tree.children(head):
            if complement_form(tree, child) is Complement.TO:
                yield _Operator(Context.DOWN, frozenset(tree.subtree(child)), at)
    elif form == "only" and relation == "advmod" and at < head and at + 1 < len(tree):
        after = tree[at + 1]
        if after.pos != "NUM":
            yield _Operator(Context.DOWN, frozenset(_scope(tree, head, at + 1)) - {at}, at)
    elif relation == "amod" and (form in SUPERLATIVE or _is_superlative(form)):
        yield _Operator(Context.NEITHER, frozenset(_scope(tree, head, at + 1)) - {at}, at)


def _is_superlative(form: str) -> bool:
    return len(form) > 5 and form.endswith("est") and form not in NOT_SUPERLATIVE


def _complement(lemma: str, known: str) -> Context:
    if lemma in RAISING or known == "++":
        return Context.FACT
    if known == "-+":
        return Context.NEGATION
    if lemma in DOWNWARD:
        return Context.DOWN
    return Context.FACT if known == "+-" else Context.UP


def complement_form(tree: DependencyTree, at: int) -> Complement | None:
    """The form of a clause that is a complement; None for another word."""
    relation = tree[at].relation.partition(":")[0]
    if relation not in ("xcomp", "ccomp", "csubj", "acl", "advcl"):
        return None
    marks = {tree[child].text.lower() for child in tree.children(at)}
    if relation in ("acl", "advcl") and "to" not in marks and "from" not in marks:
        return None
    if "to" in marks:
        return Complement.TO
    if tree[at].text.lower().endswith("ing") and not _has_subject(tree, at):
        return Complement.ING
    return Complement.THAT if relation == "ccomp" else Complement.TO


def _marker(tree: DependencyTree, at: int) -> str:
    return next(
        (tree[child].text.lower() for child in tree.children(at) if tree[child].relation == "case"),
        "",
    )


def contexts(tree: DependencyTree) -> tuple[tuple[Within, ...], ...]:
    """The contexts of every word, innermost first.

    "Any" is existential where something above it is downward, and elsewhere universal.
    """
    operators = sorted(_operators(tree), key=lambda one: len(one.scope))
    found: list[list[Within]] = [[] for _ in tree]
    for one in operators:
        for at in one.scope:
            found[at].append(Within(one.context, one.source))
    for quantifier in quantifiers(tree):
        start = quantifier.tokens[0]
        if quantifier.name == "any" and not licensed(found[start]):
            for at in _scope(tree, quantifier.head, start + 1):
                found[at].insert(0, Within(Context.EVERY_OF, start))
    return tuple(map(tuple, found))


def licensed(within: Iterable[Within]) -> bool:
    """Whether one of some contexts is downward, so that "any" is existential there."""
    return any(one.context.projection[Relation.FORWARD] is Relation.REVERSE for one in within)
