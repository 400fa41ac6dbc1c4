"""Quotations from a sentence: words with the rest of their name, phrases, and words that the other
sentence lacks.

"Zealand"         "New Zealand"          names and compounds are whole
and … heat up     "heat up"              phrases end with content words
non - Israeli     in "non-Israeli"       spelling makes no difference between sentences
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from hybridsem._utils.tables import word_set
from hybridsem.comparison.counterparts import FILLERS
from hybridsem.comparison.quotations import (
    BEGINNING,
    DENIALS,
    PARTICLES,
    REACH,
    SLIGHT,
    are_unrelated,
    phrases,
    plain_text,
    without_adjunct,
    written,
)
from hybridsem.comparison.sentence import Sentence
from hybridsem.comparison.spelling import Speller, excerpt, parts
from hybridsem.english.numbers import number_value
from hybridsem.judge.contexts import LogicalSentence, logical
from hybridsem.parsers.trees.clauses import base_of
from hybridsem.structures import DependencyTree

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV"})
COUNTED = CONTENT | {"NUM"}
OUTWARD = word_set("out up down off away back over")
"""Particles before "of"."""
NO_TREE = DependencyTree("", ())
GAP = 2
"""The longest gap that a quotation fills."""


class Said(NamedTuple):
    """Quotations of what each sentence says where they differ; "" if one says nothing there."""

    first: str
    second: str
    scope: str = ""
    """A note that names the word whose scope contains them."""
    open: bool = False
    """True if both may be the same in other words."""
    loose: bool = False
    """True if they stand side by side for no other reason than that each has no counterpart."""

    @property
    def texts(self) -> tuple[str, str]:
        """Both quotations."""
        return self.first, self.second

    @property
    def is_alone(self) -> bool:
        """True if only one sentence says something."""
        return not (self.first and self.second)

    def __str__(self) -> str:
        if self.loose and are_unrelated([self.first], [self.second]):
            texts = f"{self.first} in sentence 1 and {self.second} in sentence 2"
            return f"No counterpart was found for {texts}."
        if not self.is_alone:
            return f"Sentence 1 says {self.first}, sentence 2 {self.second}{self.scope}."
        number, text = (1, self.first) if self.first else (2, self.second)
        return f"Only sentence {number} says {text}{self.scope}."

    @classmethod
    def only(cls, number: int, text: str, scope: str = "") -> Said:
        """Return what one sentence alone says."""
        return cls(text, "", scope) if number == 1 else cls("", text, scope)


Statement = str | Said
"""A reason: a claim about both sentences, or what they say."""


@dataclass(frozen=True)
class QuotedSentence:
    """A sentence of a pair, its number, the spelling of its words, and its tree as written, not the
    canonical one; an empty tree for none.
    """

    number: int
    words: Sentence
    spell: Speller
    tree: DependencyTree = NO_TREE

    @property
    def canonical(self) -> DependencyTree:
        """The canonical tree, in the active voice; an empty tree for none."""
        return self.words.tree or NO_TREE

    @property
    def reading(self) -> LogicalSentence:
        """The sentence as natural logic reads it; it has a tree."""
        reading = logical(self.words)
        assert reading is not None
        return reading

    def quote(self, tokens: Iterable[int], gap: int = GAP) -> str:
        """Quote tokens as in the text. Gaps of at most ``gap`` tokens are filled; longer gaps
        separate quotations. Without tokens the quotation is "".
        """
        given, units = [*tokens], self.words.units
        if len(given) == 1 and given[0] in units and units[given[0]].phrase:
            return f'"{" ".join(self.spell(given[0]).replace(chr(34), "").split())}"'
        quoted = parts(self.whole_units(given), gap)
        return listed(map(self.spelled, quoted)) if quoted else ""

    def whole_units(self, tokens: Iterable[int]) -> Iterator[int]:
        """Yield tokens, those of a value whole."""
        units = self.words.units
        for at in tokens:
            yield from units[at].tokens if at in units else (at,)

    def phrases(self, tokens: Iterable[int], full: bool = False) -> list[list[int]]:
        """Return tokens as phrases; only those with content words, if any."""
        given = sorted({*self.whole_units(tokens)})
        if self.tree:
            words = [at for at in given if self.tree[at].relation not in ("cc", "punct")] or given
            found = sorted(phrases(self.tree, words, self.words.units.values(), full=full))
        else:
            found = parts(given, GAP)
        content = [part for part in found if any(self.words.tags[at] in COUNTED for at in part)]
        return content or found

    def spelled(self, part: Sequence[int]) -> str:
        """Quote a phrase."""
        text = written(self.tree, part) if self.tree else excerpt(part, self.spell)
        return f'"{text}"'

    def whole(self, at: int, names: bool = False) -> list[int]:
        """Return a token with the rest of its name, or of its compound unless only ``names`` are
        extended, or with its particle.
        """
        start = end = at
        while start and self._is_part(start - 1, at, names):
            start -= 1
        while end + 1 < len(self.words.forms) and self._is_part(end + 1, at, names):
            end += 1
        if start and self.words.tags[at] == "ADV" and self.words.lemmas[start - 1] in DENIALS:
            start -= 1  # "no longer"
        return [*range(start, end + 1), *self.particle(at)]

    def _is_part(self, at: int, of: int, names: bool) -> bool:
        """Test if a token next to a name or compound is part of it."""
        if not (tree := self.canonical):
            return False
        token, whole = tree[at], tree[of]
        between = range(min(at, of) + (at < of), max(at, of) + 1)
        if token.head not in between or whole.pos not in ("NOUN", "PROPN"):
            return False
        if self.relation(at) in ("compound", "flat"):
            singular = token.lemma == token.text.lower()
            return whole.pos == token.pos == "PROPN" or (singular and not names)
        named = whole.pos == "PROPN" and token.text.istitle() and at > 0
        return named and self.relation(at) == "amod"

    def particle(self, at: int) -> list[int]:
        """The particle of a verb with the words before it, if any."""
        tree = self.canonical
        if not tree or tree[at].pos != "VERB":
            return []
        for after in range(at + 1, min(at + REACH + 2, len(tree))):
            of = tree.tokens[after + 1 :][:1] and tree[after + 1].text == "of"
            adverb = tree[after].relation != "case" and tree[after].head == at
            if tree[after].text in PARTICLES and (
                tree[after].relation == "compound:prt"
                or (after == at + 1 and (adverb or (of and tree[after].text in OUTWARD)))
            ):
                return [*range(at + 1, after + 1)]
        return []

    def relation(self, at: int) -> str:
        """The dependency relation of a token without its subtype."""
        return base_of(self.canonical[at].relation)

    @cached_property
    def plain(self) -> str:
        """The text in lower case, without punctuation."""
        return plain_text(self.canonical.text or " ".join(self.words.forms))

    @cached_property
    def numbers(self) -> set[float | None]:
        """The numbers in the text."""
        return {number_value(form) for form in self.words.forms}

    def lacks(self, other: QuotedSentence, tokens: Iterable[int]) -> bool:
        """Test if this sentence lacks some of these words of the other one."""
        letters = self.plain.replace(" ", "")
        return any(
            form not in self.words.forms
            and not (len(form) >= BEGINNING and plain_text(form).replace(" ", "") in letters)
            and f" {plain_text(form)} " not in f" {self.plain} "
            and (number_value(form) is None or number_value(form) not in self.numbers)
            and any(map(str.isalnum, form))
            for form in (other.words.forms[at] for at in tokens)
        )

    def only(
        self,
        other: QuotedSentence,
        tokens: Sequence[int],
        scope: str = "",
        said: Container[int] = frozenset(),
    ) -> Iterator[Said]:
        """State that the other sentence lacks some words; it has those that are ``said`` in other
        words.
        """
        lacking = []
        given = {*self.whole_units(tokens)}
        for part in self.phrases(tokens):
            part = without_adjunct(self.tree, part, given, other.plain) if self.tree else part
            new = [at for at in part if at in given and at not in said]
            if any(at in said for at in part if at in given):
                new = [at for at in new if self.words.tags[at] in COUNTED]
            content = [at for at in part if self.words.tags[at] in CONTENT]
            own = [at for at in content if other.lacks(self, (at,))]
            if self.canonical and all(
                [at] == own or (own == [self.canonical[at].head] and at < own[0]) for at in content
            ):
                part = own if len(content) > 1 else part  # "slab" if both say "concrete"
            if other.lacks(self, new):
                lacking.append(part)
        no_longer = [self.words.forms[at] for at in tokens] == ["longer"]
        bare = scope and not any(self.words.tags[at] in COUNTED for at in given)
        slight = all(self.words.forms[at] in SLIGHT | FILLERS for at in given)
        if lacking and not no_longer and not bare and not slight:
            yield Said.only(self.number, listed(map(self.spelled, lacking)), scope)


def listed(quotes: Iterable[str]) -> str:
    """Join quotations with commas and "and"."""
    *rest, last = dict.fromkeys(quotes)
    return f"{', '.join(rest)} and {last}" if rest else last
