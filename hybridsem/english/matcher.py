"""Patterns over dependency trees, given as data: named words with conditions and links.

    than: form than; relation case
    standard: head of than; after than; tag @nominal; no nummod
    subject: child of standard; relation nsubj nsubj:pass; first

A line names a word and lists what it must be; of several values any will do, ``@name`` is a set of
words. The first line is the trigger. Later lines start with a link to a word named before:

    head of, child of, above, before, after, follows, precedes WORD     candidates, nearest first
    form, lemma, tag, relation, ending, previous, next VALUES           of the word or a neighbour
    has, no, single RELATIONS     a dependent with one of these, none, exactly one
    inflected                     the form is not the lemma
    not CONDITION
    first                         only the first candidate that meets the conditions is tried

A line "no NAME: ..." forbids such a word; "maybe NAME: ..." binds it if there is one; a name that
is known already gets further conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import NamedTuple

from hybridsem._utils.tables import word_set
from hybridsem.structures import Token

RELATIONS = word_set(
    """
    acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse
    dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis
    punct reparandum root vocative xcomp
    """
)
"""The relations of Universal Dependencies; a label may add a subtype after a colon."""
TAGS = word_set("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X")

Tokens = Sequence[Token]
Bound = dict[str, int]
"""The tokens of a match by the names of the pattern's words."""
Condition = Callable[[Tokens, int], bool]
Candidates = Callable[[Tokens, int], Iterable[int]]


def children(tokens: Tokens, at: int) -> list[int]:
    """Return the dependents of a word, in order."""
    return [i for i, token in enumerate(tokens) if token.head == at]


def _head(tokens: Tokens, at: int) -> Iterable[int]:
    head = tokens[at].head
    return (head,) if head >= 0 else ()


def _above(tokens: Tokens, at: int) -> Iterator[int]:
    for _ in tokens:
        at = tokens[at].head
        if at < 0:
            return
        yield at


LINKS: Mapping[str, Candidates] = {
    "head of": _head,
    "child of": children,
    "above": _above,
    "before": lambda _, at: range(at - 1, -1, -1),
    "after": lambda tokens, at: range(at + 1, len(tokens)),
    "follows": lambda tokens, at: range(at + 1, min(at + 2, len(tokens))),
    "precedes": lambda _, at: range(max(at - 1, 0), at),
}
"""The candidates for a word, given the one that it is linked to."""


def _neighbour(step: int) -> Callable[[Tokens, int], str]:
    def form(tokens: Tokens, at: int) -> str:
        return tokens[at + step].text.lower() if 0 <= at + step < len(tokens) else ""

    return form


ATTRIBUTES: Mapping[str, Callable[[Tokens, int], str]] = {
    "form": lambda tokens, at: tokens[at].text.lower(),
    "lemma": lambda tokens, at: tokens[at].lemma.lower(),
    "tag": lambda tokens, at: tokens[at].pos,
    "relation": lambda tokens, at: tokens[at].relation,
    "previous": _neighbour(-1),
    "next": _neighbour(1),
}
COUNTS: Mapping[str, Callable[[int], bool]] = {
    "has": lambda count: count > 0,
    "no": lambda count: count == 0,
    "single": lambda count: count == 1,
}
"""Conditions on the number of dependents with a relation."""
KEYED: Mapping[str, Callable[[Token], str]] = {
    "form": attrgetter("text"),
    "lemma": attrgetter("lemma"),
    "relation": attrgetter("relation"),
}
"""Attributes by which rules are found, the rarest values first."""
KEYWORDS = (*LINKS, *ATTRIBUTES, *COUNTS, "ending", "inflected", "not", "first")


class PatternError(ValueError):
    """A line that is no pattern: what was read, and what is allowed."""


class Key(NamedTuple):
    """Values of which a sentence must have one for a pattern to match."""

    attribute: str
    values: frozenset[str]


@dataclass(frozen=True)
class Word:
    """A word of a pattern; ``links`` are names with the candidates that they give."""

    name: str
    links: tuple[tuple[str, Candidates], ...] = ()
    conditions: tuple[Condition, ...] = ()
    keys: tuple[Key, ...] = ()
    mode: str = ""
    first: bool = False

    def candidates(self, tokens: Tokens, bound: Bound) -> Iterator[int]:
        """Yield the tokens that have the links and meet the conditions."""
        links = self.links
        if self.name in bound:
            between: Iterable[int] = (bound[self.name],)
        else:
            other, candidates = links[0]
            between, links = candidates(tokens, bound[other]), links[1:]
        for at in between:
            if links and not all(at in given(tokens, bound[other]) for other, given in links):
                continue
            if self.is_met(tokens, at):
                yield at
                if self.first:
                    return

    def is_met(self, tokens: Tokens, at: int) -> bool:
        """Test if a token meets the conditions."""
        for condition in self.conditions:  # noqa: SIM110 - a generator would take longer
            if not condition(tokens, at):
                return False
        return True


@dataclass(frozen=True)
class Pattern:
    """The words of a pattern, the trigger first."""

    words: tuple[Word, ...]

    @property
    def names(self) -> set[str]:
        """The names of the words that a match may bind."""
        return {word.name for word in self.words if word.mode != "no"}

    @property
    def keys(self) -> list[Key]:
        """What a sentence must have, the rarest first."""
        keys = [key for word in self.words if not word.mode for key in word.keys]
        return sorted(keys, key=lambda key: [*KEYED].index(key.attribute))

    def matches(self, tokens: Tokens, trigger: int) -> Iterator[Bound]:
        """Yield the matches with a token as the trigger."""
        if self.words[0].is_met(tokens, trigger):
            yield from self._bind(tokens, 1, {self.words[0].name: trigger})

    def _bind(self, tokens: Tokens, at: int, bound: Bound) -> Iterator[Bound]:
        if at == len(self.words):
            yield bound
            return
        word = self.words[at]
        candidates = word.candidates(tokens, bound)
        if word.mode:
            some = next(candidates, None)
            if some is None or word.mode == "maybe":
                new = bound if some is None else bound | {word.name: some}
                yield from self._bind(tokens, at + 1, new)
            return
        for candidate in candidates:
            yield from self._bind(tokens, at + 1, bound | {word.name: candidate})


def read_pattern(lines: Iterable[str], sets: Mapping[str, frozenset[str]]) -> Pattern:
    """Return the pattern of lines; ``sets`` are the sets of words by name.

    >>> pattern = read_pattern(["of: form of", "noun: head of of; tag NOUN PROPN"], {})
    >>> sorted(pattern.names), pattern.keys
    (['noun', 'of'], [Key(attribute='form', values=frozenset({'of'}))])
    """
    words: list[Word] = []
    for line in lines:
        start, colon, clauses = line.partition(":")
        *modes, name = start.split() or [""]
        if not (colon and name and modes in ([], ["no"], ["maybe"])):
            raise PatternError(f"a line 'NAME: condition; ...', got {line!r}")
        word = Word(name, mode="".join(modes))
        for clause in clauses.split(";"):
            word = _with_clause(word, clause.split(), sets)
        known = {each.name for each in words if each.mode != "no"}
        missing = [other for other, _ in word.links if other not in known]
        if missing or (words and not word.links and name not in known):
            raise PatternError(f"a link to a word named before ({sorted(known)}), got {line!r}")
        words.append(word)
    if not words or words[0].mode or words[0].links or not words[0].keys:
        raise PatternError(f"a first line with one of {[*KEYED]} and no link, got {[*lines][:1]}")
    return Pattern(tuple(words))


def _with_clause(word: Word, parts: list[str], sets: Mapping[str, frozenset[str]]) -> Word:
    """Return the word with a further link or condition."""
    link = next((name for name in LINKS if name.split() == parts[:-1]), None)
    if link is not None:
        return replace(word, links=(*word.links, (parts[-1], LINKS[link])))
    if parts == ["first"]:
        return replace(word, first=True)
    denied = parts[:1] == ["not"]
    keyword, values = (parts[denied:] or [""])[0], _values(parts[denied + 1 :], sets)
    condition = _condition(keyword, values)
    if condition is None or bool(values) == (keyword == "inflected"):
        raise PatternError(f"one of {KEYWORDS} with its values, got {' '.join(parts)!r}")
    if denied:
        return replace(word, conditions=(*word.conditions, lambda *at: not condition(*at)))
    keyed = keyword in KEYED or keyword == "has"
    keys = (Key(keyword.replace("has", "relation"), values),) if keyed else ()
    return replace(word, conditions=(*word.conditions, condition), keys=(*word.keys, *keys))


def _values(parts: Iterable[str], sets: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return values, with the words of the sets among them."""
    values: set[str] = set()
    for part in parts:
        if part.startswith("@") and part[1:] not in sets:
            raise PatternError(f"one of the sets of words {sorted(sets)}, got {part!r}")
        values |= sets[part[1:]] if part.startswith("@") else {part}
    return frozenset(values)


def _condition(keyword: str, values: frozenset[str]) -> Condition | None:
    """Return the condition of a keyword, None if there is no such keyword."""
    if keyword == "relation" or keyword in COUNTS:
        check_relations(values)
    if keyword == "tag" and (unknown := values - TAGS):
        raise PatternError(f"tags of {sorted(TAGS)}, got {sorted(unknown)}")
    if keyword in COUNTS:
        counted = COUNTS[keyword]
        return lambda tokens, at: counted(
            len([0 for token in tokens if token.head == at and token.relation in values])
        )
    if keyword in ATTRIBUTES:
        attribute = ATTRIBUTES[keyword]
        return lambda tokens, at: attribute(tokens, at) in values
    if keyword == "ending":
        return lambda tokens, at: tokens[at].text.endswith(tuple(values))
    if keyword == "inflected":
        return lambda tokens, at: tokens[at].text.lower() != tokens[at].lemma.lower()
    return None


def check_relations(values: Iterable[str]) -> None:
    """Raise :class:`PatternError` for relations that Universal Dependencies lacks."""
    if unknown := sorted(value for value in values if value.partition(":")[0] not in RELATIONS):
        raise PatternError(f"relations of {sorted(RELATIONS)}, got {unknown}")
