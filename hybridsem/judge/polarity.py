"""The contexts of the words of a tree, and the direction of each word.

    No   dog  that barks   bites  without  a reason         up, down or neither:
    up   down ....... down down   down     up ...           "a reason" is within two contexts

A *context* is the effect of a quantifier, a negation, a verb such as "fail", a conditional,
"without" or "than" on its scope. It maps the relation of two phrases to the relation of the
sentences that contain them (its *projection*). So it has a direction: upward if a more general
phrase makes a more general sentence. Contexts compose. The inventory follows MacCartney & Manning
(2009), van Benthem (1986), Hu & Moss (2018) and Chen & Gao (2021).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, StrEnum
from functools import reduce
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.latest import keep_latest
from hybridsem._utils.tables import read_table, word_set, word_sets
from hybridsem.english.numbers import UNITS, number_value
from hybridsem.english.signatures import DOWNWARD, RAISING, Complement, signature
from hybridsem.english.words import NOT, not_only
from hybridsem.parsers.trees.clauses import base_of
from hybridsem.structures import DependencyTree


class Relation(StrEnum):
    """The relation of a phrase or sentence to another (MacCartney & Manning 2009)."""

    EQUIVALENT = "="
    FORWARD = "<"
    """The first is more specific: it entails the second."""
    REVERSE = ">"
    NEGATION = "^"
    """Exactly one of the two is true."""
    ALTERNATION = "|"
    """Not both are true."""
    COVER = "v"
    """One of the two, or both, are true."""
    INDEPENDENT = "#"

    @property
    def inverted(self) -> Relation:
        """The relation of the second to the first."""
        return INVERTED.get(self, self)


INVERTED = MappingProxyType(
    {Relation.FORWARD: Relation.REVERSE, Relation.REVERSE: Relation.FORWARD}
)


class Context(Enum):
    """A context, by its projection of ``= < > ^ | v #``."""

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
    """The context of presuppositions, and of clauses from which a negation is raised."""


def project(relation: Relation, within: Iterable[Context]) -> Relation:
    """Return the relation of two sentences, from that of two phrases in contexts, innermost first.

    >>> str(project(Relation.FORWARD, [Context.NEGATION]))
    '>'
    """
    return reduce(lambda made, context: context.projection[made], within, relation)


def direction(within: Iterable[Context]) -> int:
    """Return 1 for upward, -1 for downward, 0 for neither.

    >>> direction([Context.NO, Context.NEGATION]), direction([Context.NEITHER])
    (1, 0)
    """
    made = project(Relation.FORWARD, within)
    return {Relation.FORWARD: 1, Relation.REVERSE: -1}.get(made, 0)


_TABLES = read_table(__file__)
QUANTIFIERS: dict[str, tuple[Context | None, Context | None, str]] = {
    name: (Context[restrictor] if restrictor else None, Context[body] if body else None, words)
    for name, (restrictor, body, words) in _TABLES["quantifiers"].items()
}
"""The contexts of the restrictor and of the rest of the clause, and the words, by name."""
_WORDS = {
    tuple(phrase.split("_")): name
    for name, (_, _, words) in QUANTIFIERS.items()
    for phrase in words.split()
}
DEGREES = word_set("too enough")
"""Degrees of adjectives that have signatures."""
_LONGEST = max(map(len, _WORDS))
_STARTS = frozenset(words[0] for words in _WORDS)
_MODIFIES = word_set("det cc nummod amod advmod predet case fixed quantmod nmod:npmod")
_WITHIN = ("nmod", "conj", "appos", "compound", "amod", "nummod", "det", "acl", "flat")
WORDS = word_sets(_TABLES["words"])
DENYING = NOT | WORDS["denying"]
"""Adverbs that negate their clause."""


class Quantified(NamedTuple):
    """A quantifier: its name in :data:`QUANTIFIERS`, its tokens, the head of its phrase, and its
    number, if any.
    """

    name: str
    tokens: tuple[int, ...]
    head: int
    number: float | None = None


@keep_latest
def quantifiers(tree: DependencyTree) -> list[Quantified]:
    """Return the quantifiers of a tree, in order; of several that begin at a word, the longest."""
    forms = [token.text.lower() for token in tree]
    numbers = numbers_of(tree)
    keys = ["N" if n is not None else form for form, n in zip(forms, numbers, strict=True)]
    found, at = [], 0
    while at < len(keys):
        longest = min(_LONGEST, len(keys) - at) if keys[at] in _STARTS else 0
        for length in range(longest, 0, -1):
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
    """Return the base of a counted unit of measure and its factor; None for other words."""
    counted = at >= 0 and any(tree[child].relation == "nummod" for child in tree.children(at))
    return UNITS.get(tree[at].lemma.lower()) if counted else None


@keep_latest
def numbers_of(tree: DependencyTree) -> list[float | None]:
    """Return the number that each word is part of ("5 million"); a measure in its base unit."""
    numeral = [token.pos == "NUM" or token.text.lower() in ("half", "dozen") for token in tree]
    found: list[float | None] = [None] * len(tree)
    at = 0 if any(numeral) else len(tree)
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
    """Return the head of the quantified phrase."""
    last = tokens[-1]
    for at in reversed(tokens):
        head = tree[at].head
        if head not in tokens and (head > last or head < 0 or head < tokens[0]):
            last = at
            break
    head = tree[last].head
    relation = base_of(tree.tokens[last].relation)
    floating = relation == "det" and head == last - 1  # "they all"
    return head if floating or (relation in _MODIFIES and head > last) else last


def _clause(tree: DependencyTree, at: int) -> int:
    """Return the predicate whose argument contains this phrase, or the phrase if there is none."""
    while tree[at].head >= 0 and base_of(tree.tokens[at].relation) in _WITHIN:
        relation, at = tree[at].relation, tree[at].head
        if relation.startswith("acl"):
            return at
    if tree[at].head < 0 or base_of(tree.tokens[at].relation) in (
        *("advcl", "ccomp", "xcomp", "parataxis"),
    ):
        return at
    return tree[at].head


def _scope(
    tree: DependencyTree, top: int, start: int, others: Sequence[Quantified] = ()
) -> set[int]:
    """Return the words below a word, from ``start`` on, without conjuncts that have a subject or
    one of ``others``.
    """
    heads = {one.head for one in others}
    tokens, below = tree.tokens, tree.below
    found, todo = {top}, [top]
    while todo:
        for child in below[todo.pop()]:
            relation = base_of(tokens[child].relation)
            own = relation == "conj" and (child in heads or _has_subject(tree, child))
            if own or relation == "parataxis":
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


@keep_latest
def negators(tree: DependencyTree) -> dict[int, int]:
    """Map the words that negate a clause or phrase to the words that they negate."""
    found = {}
    within = {at for one in quantifiers(tree) for at in one.tokens}
    within |= not_only([token.lemma.lower() for token in tree])
    for at, token in enumerate(tree):
        if at in within:
            continue
        form = token.text.lower()
        longer = form == "no" and at + 1 < len(tree) and tree[at + 1].text.lower() == "longer"
        if form in DENYING or token.lemma.lower() == "not" or longer or form == "neither":
            denied = token.head if token.head >= 0 else at
            if tree[denied].text.lower() in ("longer", "ever") and tree[denied].head >= 0:
                denied = tree[denied].head
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
    for at in range(len(tree)):
        yield from _of_word(tree, at)


def _body(tree: DependencyTree, one: Quantified) -> set[int]:
    clause = _clause(tree, one.head)
    return _scope(tree, clause, one.tokens[-1] + 1)


def _of_word(tree: DependencyTree, at: int) -> Iterator[_Operator]:
    """Yield the contexts that a word alone creates."""
    token = tree.tokens[at]
    lemma, form = token.lemma.lower(), token.text.lower()
    for child in tree.below[at]:
        form_of = complement_form(tree, child)
        if form_of is not None:
            known = signature_of(tree, at, form_of)
            if known is not None:
                yield _Operator(_complement(lemma, known), frozenset(tree.subtree(child)), at)
        elif lemma in DOWNWARD and _is_argument(tree, child):
            yield _Operator(Context.DOWN, frozenset(tree.subtree(child)), at)
    if token.head < 0:
        return
    relation = base_of(token.relation)
    for forms, relations, makes in MAKERS:
        if relation in relations and form in forms:
            yield from (_Operator(*made, at) for made in makes(tree, at))
            return
    if relation == "amod" and _is_superlative(form):
        yield from (_Operator(*made, at) for made in _superlative(tree, at))


def _is_argument(tree: DependencyTree, at: int) -> bool:
    """Return True for an object, or a phrase with "of" or "from"."""
    relation = base_of(tree.tokens[at].relation)
    if relation not in ("nmod", "obl"):
        return relation == "obj"
    case = (tree[child] for child in tree.children(at) if tree[child].relation == "case")
    return next((token.text.lower() in ("of", "from") for token in case), False)


_Made = Iterator[tuple[Context, frozenset[int]]]


def _condition(tree: DependencyTree, at: int) -> _Made:
    context = Context.NEITHER if tree[at].text.lower() == "whether" else Context.DOWN
    yield context, frozenset(tree.subtree(tree[at].head)) - {at}


def _exclusion(tree: DependencyTree, at: int) -> _Made:
    yield Context.DOWN, frozenset(tree.subtree(tree[at].head)) - {at}


def _excess(tree: DependencyTree, at: int) -> _Made:
    for child in tree.children(tree[at].head):
        if complement_form(tree, child) is Complement.TO:
            yield Context.DOWN, frozenset(tree.subtree(child))


def _only(tree: DependencyTree, at: int) -> _Made:
    head = tree[at].head
    if at < head and at + 1 < len(tree) and tree[at + 1].pos != "NUM":
        yield Context.DOWN, frozenset(_scope(tree, head, at + 1)) - {at}


def _superlative(tree: DependencyTree, at: int) -> _Made:
    yield Context.NEITHER, frozenset(_scope(tree, tree[at].head, at + 1)) - {at}


MAKERS = (
    (WORDS["conditions"], ("mark",), _condition),
    (word_set("without than besides"), ("case", "mark"), _exclusion),
    (("too",), ("advmod",), _excess),
    (("only",), ("advmod",), _only),
    (WORDS["superlative"], ("amod",), _superlative),
)
"""Function words: the relations in which they create contexts, and these contexts."""


def _is_superlative(form: str) -> bool:
    return len(form) > 5 and form.endswith("est") and form not in WORDS["not_superlative"]


def _complement(lemma: str, known: str) -> Context:
    if lemma in RAISING or known == "++":
        return Context.FACT
    if known == "-+":
        return Context.NEGATION
    if lemma in DOWNWARD:
        return Context.DOWN
    return Context.FACT if known == "+-" else Context.UP


def complement_form(tree: DependencyTree, at: int) -> Complement | None:
    """Return the form of a clause that is a complement; None for another word."""
    relation = base_of(tree.tokens[at].relation)
    if relation not in ("xcomp", "ccomp", "csubj", "acl", "advcl"):
        return None
    marks = {tree[child].text.lower() for child in tree.children(at)}
    if relation in ("acl", "advcl") and "to" not in marks and "from" not in marks:
        return None
    if "to" in marks:
        return Complement.TO
    if tree[at].text.lower().endswith("ing") and not _has_subject(tree, at):
        return Complement.FROM if "from" in marks else Complement.ING
    return Complement.THAT if relation == "ccomp" else Complement.TO


def complements(tree: DependencyTree, at: int) -> Iterator[tuple[int, Complement, str | None]]:
    """Yield the complements of a word, each with its form and the signature of the word for it."""
    for child in tree.children(at):
        form = complement_form(tree, child)
        if form is not None:
            yield child, form, signature_of(tree, at, form)


def signature_of(tree: DependencyTree, at: int, form: Complement) -> str | None:
    """Return the signature of a word, or of its degree: "too tired to walk", "old enough to vote".
    That of "use" is for a tool: who used to smoke need not smoke.
    """
    lemma, degree = tree[at].lemma.lower(), degree_of(tree, at)
    if lemma == "use" and not any(tree[child].relation == "obj" for child in tree.children(at)):
        return None
    return signature(lemma if degree is None else tree[degree].lemma.lower(), form)


def degree_of(tree: DependencyTree, at: int) -> int | None:
    """Return the degree of an adjective that has a signature, or None."""
    below = tree.children(at) if tree[at].pos == "ADJ" else ()
    return next((child for child in below if tree[child].lemma.lower() in DEGREES), None)


@keep_latest
def contexts(tree: DependencyTree) -> tuple[tuple[Within, ...], ...]:
    """Return the contexts of each word, innermost first.

    "Any" is existential if a context above it is downward, otherwise universal.
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
    """Test if a context is downward, so that "any" is existential there."""
    return any(one.context.projection[Relation.FORWARD] is Relation.REVERSE for one in within)
