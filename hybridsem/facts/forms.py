"""Forms of words and classes of words, and their longest matches in a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from hybridsem._utils.tables import word_set
from hybridsem.facts.time_words import GAP, TABLES, VALUES, Word
from hybridsem.facts.values import Fact

__all__ = ["Forms", "Match"]

DANGLING = word_set(TABLES["calendar"]["dangling"])
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
    """The forms of a table of time_words.toml, with the functions of that name which read their
    matches.
    """

    def __init__(self, table: str, *builders: Builder) -> None:
        by_name = {build.__name__.strip("_"): build for build in builders}
        rows = [(row, by_name[name]) for name, rows in TABLES[table].items() for row in rows]
        self._forms = [
            _Form(place, tuple(map(_Element.read, row.split())), build)
            for place, (row, build) in enumerate(rows)
        ]
        self._names = frozenset(
            name for form in self._forms for element in form.elements for name in element.names
        )
        self._possible = lru_cache(1024)(self._choose)

    def _choose(self, names: frozenset[str]) -> dict[str, list[_Form]]:
        """Return the forms that words and classes allow, by those that begin them."""
        by_first: dict[str, list[_Form]] = {}
        for form in self._forms:
            if any(names.isdisjoint(each.names) for each in form.elements if not each.optional):
                continue
            for element in form.elements:
                for name in element.names & names:
                    by_first.setdefault(name, []).append(form)
                if not element.optional:
                    break
        return by_first

    def apply(
        self, words: list[Word], present: set[str], original: str, day_first: bool | None
    ) -> list[Word]:
        """Return the words, with the longest match of a form in place of its words. ``present``
        holds their texts and classes; those of new facts are added.
        """
        possible = self._possible(self._names & present)
        if not possible:
            return words
        out: list[Word] = []
        done = 0
        for at, word in enumerate(words):
            if at < done or not (forms := _that_begin(word, possible)):
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
                present.add(name)
                text = original[fact.start : fact.end].lower()
                start = words[at].start
                out.append(Word(text, start, fact.end, frozenset([name]), fact))
        return out + words[done:]


def _that_begin(word: Word, possible: Mapping[str, list[_Form]]) -> Sequence[_Form]:
    """Return the forms that may begin with a word, in the order of the table."""
    if not word.classes:
        return possible.get(word.text, ())
    names = [name for name in (word.text, *word.classes) if name in possible]
    if len(names) < 2:
        return possible[names[0]] if names else []
    return sorted({form for name in names for form in possible[name]}, key=lambda form: form.place)


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
