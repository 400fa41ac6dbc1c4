"""Forms of words and classes of words, and their longest matches in a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from hybridsem._utils.tables import word_set
from hybridsem.facts.time_words import GAP, TABLES, VALUES, Word
from hybridsem.facts.values import Fact

__all__ = ["Builder", "Forms", "Match"]

DANGLING = word_set(TABLES["calendar"]["dangling"])


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

    def value(self, name: str) -> str:
        """Return the value that the table of a class gives its word; "" without one."""
        word = self.named.get(name)
        return VALUES[name.rstrip("23")][word.text] if word else ""


Builder = Callable[[Match], Fact | None]


class _Element(NamedTuple):
    """A place of a form: the words and the classes that may stand there."""

    options: tuple[tuple[str, str], ...]
    optional: bool

    @classmethod
    def read(cls, text: str) -> _Element:
        names = text.removesuffix("?").split("|")
        options = tuple((name, name.rstrip("23") if name[0].isupper() else "") for name in names)
        return cls(options, text.endswith("?"))


class _Form(NamedTuple):
    """A form, its place in the table, and what reads its matches."""

    place: int
    elements: tuple[_Element, ...]
    build: Builder


class Forms:
    """The forms of a table of time_words.toml, with what reads their matches."""

    def __init__(self, table: str, builders: Mapping[str, Builder]) -> None:
        rows = [(row, builders[name]) for name, rows in TABLES[table].items() for row in rows]
        by_first: dict[str, set[_Form]] = {}
        for place, (row, build) in enumerate(rows):
            form = _Form(place, tuple(map(_Element.read, row.split())), build)
            for element in form.elements:
                for text, kind in element.options:
                    by_first.setdefault(kind or text, set()).add(form)
                if not element.optional:
                    break
        self._by_first = by_first
        self._by_word: dict[tuple[str, frozenset[str]], list[_Form]] = {}

    def apply(self, words: Sequence[Word], original: str, day_first: bool | None) -> list[Word]:
        """Return the words, with the longest match of a form in place of its words."""
        out: list[Word] = []
        at = 0
        while at < len(words):
            end, fact = at + 1, None
            for form in self._that_begin(words[at]):
                for stop, named in _ends(form.elements, words, at):
                    if (fact and stop <= end) or words[stop - 1].text in DANGLING:
                        continue
                    after = words[stop].text if stop < len(words) else ""
                    form_words = tuple(words[at:stop])
                    match = Match(form_words, named, out[-2:], after, original, day_first)
                    if value := form.build(match):
                        end, fact = stop, value
            if fact:
                names = frozenset([type(fact).__name__.upper()])
                text = original[fact.start : fact.end].lower()
                out.append(Word(text, words[at].start, fact.end, names, fact))
            else:
                out.append(words[at])
            at = end
        return out

    def _that_begin(self, word: Word) -> list[_Form]:
        """Return the forms that may begin with a word, in the order of the table."""
        if word.text not in self._by_first and self._by_first.keys().isdisjoint(word.classes):
            return []
        key = word.text if word.text in self._by_first else "", word.classes
        if key not in self._by_word:
            forms = set().union(*(self._by_first.get(name, ()) for name in (key[0], *key[1])))
            self._by_word[key] = sorted(forms, key=lambda form: form.place)
        return self._by_word[key]


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
