"""Forms of words and classes of words, and their longest matches in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from hybridsem._utils.tables import word_set
from hybridsem.facts.time_words import GAP, TABLES, VALUES, Word
from hybridsem.facts.values import Fact

DANGLING, MOVES = (word_set(TABLES["calendar"][name]) for name in ("dangling", "moves"))
CLAUSE = re.compile(r"[.,;:]")
FactT = TypeVar("FactT", bound=Fact)


class Match(NamedTuple):
    """A form with its words: those of classes by the class, and all."""

    words: tuple[Word, ...]
    named: Mapping[str, Word]
    previous: Sequence[Word]
    after: str
    original: str
    day_first: bool | None

    @property
    def start(self) -> int:
        """The first character."""
        return self.words[0].start

    @property
    def end(self) -> int:
        """The end of the last word."""
        return self.words[-1].end

    @property
    def before(self) -> str:
        """The word before the form."""
        return self.previous[-1].text if self.previous else ""

    @property
    def is_alone(self) -> bool:
        """True for a form that is the whole text."""
        return len(self.original.strip()) == self.end - self.start

    @property
    def is_move(self) -> bool:
        """True for "moved from Monday to Friday", where one time takes the place of another."""
        if self.before != "from" and not self.has("from"):
            return False
        clause = CLAUSE.split(self.original[: self.start].lower())[-1]
        return not MOVES.isdisjoint(clause.split())

    @property
    def side(self) -> str:
        """The side of the form's bound, "low" without one."""
        bounds = map(self.value, ("BOUND", "AFTER", "DATEBOUND", "DATEAFTER"))
        return next(filter(None, bounds), "low")

    def has(self, *texts: str) -> bool:
        """Test if a word is among the texts."""
        return any(word.text in texts for word in self.words)

    def number(self, name: str, default: float = 0.0) -> float:
        """Return the number of the word of a class; ``default`` without one."""
        return self.named[name].number if name in self.named else default

    def fact(self, kind: type[FactT], name: str) -> FactT | None:
        """Return the fact of the word of a class, if it is of a kind."""
        fact = self.named[name].fact if name in self.named else None
        return fact if isinstance(fact, kind) else None

    def value(self, name: str) -> str:
        """Return the value that the table of a class gives its word; "" without one."""
        word = self.named.get(name)
        return VALUES[name.rstrip("23")][word.text] if word else ""


Builder = Callable[[Match], Fact | None]


class _Element(NamedTuple):
    """A place of a form: the words and the classes that may stand there."""

    options: tuple[tuple[str, str], ...]
    optional: bool
    names: frozenset[str]

    @classmethod
    def read(cls, text: str) -> _Element:
        each = text.removesuffix("?").split("|")
        options = tuple((name, name.rstrip("23") if name[0].isupper() else "") for name in each)
        names = frozenset(kind or name for name, kind in options)
        return cls(options, text.endswith("?"), names)


class _Form(NamedTuple):
    """A form, its place in the table, and what reads its matches."""

    place: int
    elements: tuple[_Element, ...]
    build: Builder


class Forms:
    """The forms of a table of time_words.toml. Its keys name the functions that read matches."""

    def __init__(self, table: str, functions: Mapping[str, Builder]) -> None:
        rows = [(row, functions[name]) for name, rows in TABLES[table].items() for row in rows]
        self._by_first: dict[str, list[_Form]] = {}
        for place, (row, build) in enumerate(rows):
            form = _Form(place, tuple(map(_Element.read, row.split())), build)
            for element in form.elements:
                for name in element.names:
                    self._by_first.setdefault(name, []).append(form)
                if not element.optional:
                    break

    def apply(self, words: list[Word], original: str, day_first: bool | None) -> list[Word]:
        """Return the words, with the longest match of a form in place of its words."""
        out: list[Word] = []
        done = 0
        for at, word in enumerate(words):
            if at < done or not (forms := _that_begin(word, self._by_first)):
                continue
            out += words[done:at]
            done, fact = at, None
            for form in forms:
                for stop, named in _ends(form.elements, words, at):
                    if (fact and stop <= done) or words[stop - 1].text in DANGLING:
                        continue
                    after = words[stop].text if stop < len(words) else ""
                    form_words = tuple(words[at:stop])
                    match = Match(form_words, named, out[-2:], after, original, day_first)
                    if value := form.build(match):
                        done, fact = stop, value
            if fact:
                name = type(fact).__name__.upper()
                text = original[fact.start : fact.end].lower()
                start = words[at].start
                out.append(Word(text, start, fact.end, frozenset([name]), fact))
        return out + words[done:]


def _that_begin(word: Word, by_first: Mapping[str, list[_Form]]) -> list[_Form]:
    """Return the forms that may begin with a word, in the order of the table."""
    names = (word.text, *word.classes)
    found = {form.place: form for name in names for form in by_first.get(name, ())}
    return [found[place] for place in sorted(found)]


def _ends(
    form: tuple[_Element, ...], words: Sequence[Word], at: int
) -> Iterator[tuple[int, dict[str, Word]]]:
    """Return the ends of the ways to match a form at a place, with the words of its classes."""
    ways: list[tuple[int, dict[str, Word]]] = [(at, {})]
    for element in form:
        longer: list[tuple[int, dict[str, Word]]] = []
        for end, named in ways:
            if element.optional:
                longer.append((end, named))
            if end == len(words) or (end > at and words[end].start - words[end - 1].end > GAP):
                continue
            for text, kind in element.options:
                if kind and kind in words[end].classes:
                    longer.append((end + 1, named | {text: words[end]}))
                elif not kind and words[end].text == text:
                    longer.append((end + 1, named))
        ways = longer
        if not ways:
            return
    yield from (way for way in ways if way[0] > at)
