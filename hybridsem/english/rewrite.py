"""Rewrites of dependency trees, given as data: effects on the words that a pattern has bound.

    attach A B [RELATION]         A becomes a dependent of B
    relate A RELATION             A gets a relation to the head that it has
    take A B [OLD=NEW ...]        A takes the place of B, its relation renamed where listed
    move A B [but|only R ...] [OLD=NEW ...]   the dependents of A become those of B
    exchange A B MARKER           A and B exchange places, B's preposition MARKER goes to A
    silence A [R ...]             A, or its dependents with a relation, lose their meaning
    word A WORD, tag A TAG        new form and lemma (``_`` is a blank), new tag
    word A @map B C ...           the word that a map has for the forms of B, C, ...
    lemma A WORD, lemma A @map B  the same, but only the lemma is new
    stand A B                     B stands for the phrase A in every semantic role
    imply A B                     the same, as A is a verb whose complement B happens or not
    negate A                      A is negated
    role G A -> H B               the role of A below G is that of B below H; ``*`` is any word, on
                                  the right the same one; "-> none": there is no such role
    assign G A ROLE               A gets a role below G

The tokens keep their places; words, tags, heads and relations change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from hybridsem.english.matcher import TAGS, Bound, Pattern, PatternError, check_relations, children
from hybridsem.structures import Role, Token

Place = tuple[int, int]
"""A predicate and an argument, by their tokens."""
ANY = -1
KEPT_IN_EXCHANGE = frozenset({"det", "nmod:poss", "compound"})
"""Dependents that stay with a noun that leaves its place."""


@dataclass(frozen=True)
class Rewritten:
    """A rewritten tree. ``tokens`` are as the comparison reads them, ``canonical`` as the judge
    does, in the order of the ``original``. ``implied`` maps verbs such as "fail" to their
    complement, ``negated`` are tokens that a rewrite negates, ``assigned`` roles of the words that
    it compares. ``applied`` are the ids of the rewrites made.
    """

    original: Sequence[Token]
    tokens: Sequence[Token]
    canonical: Sequence[Token] = ()
    implied: Mapping[int, int] = field(default_factory=dict)
    negated: Sequence[int] = ()
    assigned: Mapping[Place, Role] = field(default_factory=dict)
    applied: Sequence[str] = ()
    moves: Sequence[Sequence[tuple[Place, Place | None]]] = ()

    def place(self, predicate: int, argument: int) -> Place | None:
        """Return the place that now has the role of an argument, None if there is none."""
        for moves in self.moves:
            for source, target in moves:
                if source[0] in (ANY, predicate) and source[1] in (ANY, argument):
                    if target is None:
                        return None
                    predicate = predicate if target[0] == ANY else target[0]
                    argument = argument if target[1] == ANY else target[1]
                    break
        return predicate, argument


class _Draft:
    """A tree in the course of one rewrite."""

    def __init__(self, before: Rewritten) -> None:
        self.tokens = [*before.tokens]
        self.implied, self.negated = dict(before.implied), [*before.negated]
        self.assigned = dict(before.assigned)
        self.moves: list[tuple[Place, Place | None]] = []

    def change(self, at: int, **changes: str | int) -> None:
        self.tokens[at] = replace(self.tokens[at], **changes)  # type: ignore[arg-type]

    def attach(self, at: int, head: int, relation: str | None = None) -> None:
        self.change(at, head=head, relation=relation or self.tokens[at].relation)

    def take(self, at: int, other: int, renamed: Mapping[str, str]) -> None:
        above = self.tokens[other]
        self.attach(at, above.head, renamed.get(above.relation, above.relation))

    def move(
        self, at: int, other: int, some: frozenset[str], only: bool, renamed: Mapping[str, str]
    ) -> None:
        for i in children(self.tokens, at):
            relation = self.tokens[i].relation
            if i != other and (relation in some) == only:
                self.attach(i, other, renamed.get(relation, relation))

    def exchange(self, one: int, two: int, marker: int) -> None:
        first, second = self.tokens[one], self.tokens[two]
        self.attach(one, second.head if second.head != one else two, second.relation)
        self.attach(two, first.head if first.head != two else one, first.relation)
        if second.head == one:  # the phrase modified the other word
            self.move(one, two, KEPT_IN_EXCHANGE, False, {})
        self.attach(marker, one)
        for predicate in {first.head, second.head}:
            self.moves.append(((predicate, one), (predicate, two)))
            self.moves.append(((predicate, two), (predicate, one)))

    def silence(self, at: int, relations: frozenset[str]) -> None:
        below = [i for i in children(self.tokens, at) if self.tokens[i].relation in relations]
        for i in below if relations else [at]:
            self.change(i, text=",", lemma=",", pos="PUNCT", relation="punct")

    def stand(self, at: int, other: int) -> None:
        self.moves += [((at, ANY), (other, ANY)), ((ANY, at), (ANY, other))]

    def imply(self, verb: int, complement: int) -> None:
        self.implied[verb] = complement
        self.stand(verb, complement)

    def assign(self, predicate: int, argument: int, role: Role) -> None:
        self.assigned[predicate, argument] = role

    def made(self, before: Rewritten, name: str) -> Rewritten | None:
        """Return the rewritten tree, None if nothing changes or it would be no tree."""
        after = self.tokens != before.tokens, self.assigned != before.assigned
        if not any(after) or (after[0] and not is_tree(self.tokens)):
            return None
        return replace(
            before,
            tokens=self.tokens,
            implied=self.implied,
            negated=self.negated,
            assigned=self.assigned,
            applied=(*before.applied, name),
            moves=(*before.moves, self.moves) if self.moves else before.moves,
        )


def is_tree(tokens: Sequence[Token]) -> bool:
    """Test if every word has a root above it."""
    above = {i for i, token in enumerate(tokens) if token.head < 0}
    size = 0
    while size < len(above):
        size = len(above)
        above |= {i for i, token in enumerate(tokens) if token.head in above}
    return size == len(tokens)


Effect = Callable[[_Draft, Bound], bool]
"""Changes a draft; false if it cannot, and then the whole rewrite is not made."""


def apply(
    before: Rewritten, name: str, pattern: Pattern, effects: Sequence[Effect], trigger: int
) -> Rewritten | None:
    """Return the tree after the first match with a trigger that can be rewritten, or None."""
    for bound in pattern.matches(before.tokens, trigger):
        draft = _Draft(before)
        if all(effect(draft, bound) for effect in effects):
            after = draft.made(before, name)
            if after is not None:
                return after
    return None


def read_effect(line: str, names: set[str], maps: Mapping[str, Mapping[str, str]]) -> Effect:
    """Return the effect of a line; ``names`` are the words of the pattern."""
    kind, *parts = line.split() or [""]
    reader = READERS.get(kind)
    if reader is None:
        raise PatternError(f"one of the effects {sorted(READERS)}, got {line!r}")
    try:
        return reader(parts, names, maps)
    except (ValueError, KeyError, IndexError) as error:
        allowed = f"{kind} with words of the pattern ({sorted(names)})"
        detail = f" ({error})" if isinstance(error, PatternError) else ""
        raise PatternError(f"{allowed}, got {line!r}{detail}") from error


Maps = Mapping[str, Mapping[str, str]]
Reader = Callable[[list[str], set[str], Maps], Effect]


def _named(parts: Sequence[str], names: set[str], count: int) -> list[str]:
    """Return the first ``count`` parts, which must be words of the pattern."""
    if len(parts) < count or not names.issuperset(parts[:count]):
        raise ValueError
    return [*parts[:count]]


def _on_words(act: Callable[..., None], words: list[str], *rest: object) -> Effect:
    """Return an effect on words, which is left out where one of them is not bound."""

    def effect(draft: _Draft, bound: Bound) -> bool:
        if bound.keys() >= set(words):
            act(draft, *(bound[word] for word in words), *rest)
        return True

    return effect


def _simple(
    act: Callable[..., None],
    count: int,
    values: Sequence[int] = (0,),
    read: Callable[[list[str]], Iterable[object]] = list,
) -> Reader:
    """Return the reader of an effect on ``count`` words, with a number of further ``values``."""

    def reader(parts: list[str], names: set[str], _: Maps) -> Effect:
        words, rest = _named(parts, names, count), parts[count:]
        if len(rest) not in values:
            raise ValueError
        return _on_words(act, words, *read(rest))

    return reader


def _relations(parts: list[str]) -> list[str]:
    check_relations(parts)
    return parts


def _renamed(parts: list[str]) -> dict[str, str]:
    renamed = {}
    for part in parts:
        old, equals, new = part.partition("=")
        if not equals:
            raise ValueError
        check_relations((old, new))
        renamed[old] = new
    return renamed


def _move(parts: list[str], names: set[str], _: Maps) -> Effect:
    words, rest = _named(parts, names, 2), parts[2:]
    renamed = [part for part in rest if "=" in part]
    which, *some = [part for part in rest if "=" not in part] or ["but"]
    if which not in ("but", "only"):
        raise ValueError
    check_relations(some)
    return _on_words(_Draft.move, words, frozenset(some), which == "only", _renamed(renamed))


def _setter(*columns: str) -> Callable[[_Draft, int, str], None]:
    """Return what gives columns of a word a value."""
    return lambda draft, at, value: draft.change(at, **dict.fromkeys(columns, value))


def _worded(*columns: str) -> Reader:
    """Return the reader of an effect that gives a word another form or lemma."""
    act = _setter(*columns)

    def reader(parts: list[str], names: set[str], maps: Maps) -> Effect:
        (word,), value, rest = _named(parts, names, 1), parts[1], parts[2:]
        if not value.startswith("@"):
            if rest:
                raise ValueError
            return _on_words(act, [word], value.replace("_", " "))
        words, of = maps[value[1:]], _named(rest, names, len(rest))

        def effect(draft: _Draft, bound: Bound) -> bool:
            phrase = " ".join(draft.tokens[bound[at]].text.lower() for at in of if at in bound)
            if phrase in words:
                act(draft, bound[word], words[phrase])
            return phrase in words

        return effect

    return reader


def _role(parts: list[str], names: set[str], _: Maps) -> Effect:
    predicate, argument, arrow, *rest = parts
    target = rest if rest != ["none"] else ["*", "*"]
    words = {predicate, argument, *target} - {"*"}
    if arrow != "->" or len(target) != 2 or not words <= names:
        raise ValueError

    def effect(draft: _Draft, bound: Bound) -> bool:
        if words <= bound.keys():
            at = bound | {"*": ANY}
            to = (at[target[0]], at[target[1]]) if len(rest) == 2 else None
            draft.moves.append(((at[predicate], at[argument]), to))
        return True

    return effect


def _tags(values: list[str]) -> list[str]:
    if not TAGS.issuperset(values):
        raise PatternError(f"a tag of {sorted(TAGS)}, got {values}")
    return values


ANY_NUMBER = range(100)
READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "attach": _simple(_Draft.attach, 2, (0, 1), _relations),
        "relate": _simple(_setter("relation"), 1, (1,), _relations),
        "take": _simple(_Draft.take, 2, ANY_NUMBER, lambda parts: [_renamed(parts)]),
        "move": _move,
        "exchange": _simple(_Draft.exchange, 3),
        "silence": _simple(
            _Draft.silence, 1, ANY_NUMBER, lambda parts: [frozenset(_relations(parts))]
        ),
        "word": _worded("text", "lemma"),
        "lemma": _worded("lemma"),
        "tag": _simple(_setter("pos"), 1, (1,), _tags),
        "stand": _simple(_Draft.stand, 2),
        "imply": _simple(_Draft.imply, 2),
        "negate": _simple(lambda draft, at: draft.negated.append(at), 1),
        "role": _role,
        "assign": _simple(_Draft.assign, 2, (1,), lambda parts: map(Role, parts)),
    }
)
"""The reader of each kind of effect."""
