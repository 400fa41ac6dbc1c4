"""Minimal edits of real sentences: ``edits.toml``, digits, opposites, two names exchanged, and
phrases said otherwise.
"""

from __future__ import annotations

import gzip
import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hybridsem._utils.weights import weight_file
from models.corpora import table as rows_of

Edit = tuple[str, str, float]
"""The changed sentence, the label of the two, their similarity."""
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
NUMBER = re.compile(r"\d+")
WORD = re.compile(r"\b[a-z]+\b")


@dataclass(frozen=True)
class Edits:
    """The edits, with the folder that holds ``opposites/``."""

    data: Path

    @cached_property
    def table(self) -> Mapping[str, Mapping[str, object]]:
        """The edits of words and patterns."""
        return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

    @cached_property
    def listed(self) -> frozenset[str]:
        """The words of the table."""
        lists = (row.get("words", ()) for row in self.table.values())
        return frozenset(str(word) for words in lists if isinstance(words, list) for word in words)

    @cached_property
    def opposites(self) -> Mapping[str, Sequence[str]]:
        """The opposites of a word."""
        table: dict[str, list[str]] = {}
        for row in rows_of(self.data / "opposites/antonyms-synonyms.tsv"):
            if row["opposite"] == "1":
                for word, other in ((row["word1"], row["word2"]), (row["word2"], row["word1"])):
                    table.setdefault(word, []).append(other)
        return table

    @cached_property
    def phrases(self) -> Mapping[str, Sequence[str]]:
        """The phrases and words that mean the same as a phrase of two words or more."""
        table: dict[str, list[str]] = {}
        lines = gzip.decompress(weight_file("phrases.tsv.gz")).decode("utf-8").splitlines()
        for relation, *_, members in (line.split("\t") for line in lines):
            if relation == "equivalent":
                plain = [one.replace(" … ", " ") for one in members.split("|")]
                plain = [one for one in plain if re.fullmatch(r"[a-z '-]+", one)]
                for phrase in (one for one in plain if " " in one):
                    table.setdefault(phrase, []).extend(o for o in plain if o != phrase)
        return {phrase: others for phrase, others in table.items() if others}

    @cached_property
    def _longest(self) -> int:
        return max(len(phrase.split()) for phrase in self.phrases)

    def said_otherwise(self, text: str, draw: random.Random) -> str:
        """The text with one of its phrases replaced, or the text."""
        words = [word.span() for word in WORD.finditer(text)]
        spans = []
        for first, (start, _) in enumerate(words):
            ends = (end for _, end in words[first + 1 : first + self._longest])
            spans += [(start, end) for end in ends if text[start:end] in self.phrases]
        if not spans:
            return text
        start, end = draw.choice(spans)
        return text[:start] + draw.choice(self.phrases[text[start:end]]) + text[end:]

    def of(self, text: str, draw: random.Random) -> list[tuple[str, Edit]]:
        """All edits that a sentence allows, one of each kind, with the kind."""
        return [(kind, edit) for kind, edit in self._all(text, draw) if edit[0] != text]

    def _all(self, text: str, draw: random.Random) -> Iterator[tuple[str, Edit]]:
        for kind, row in self.table.items():
            label, similarity = str(row["label"]), float(str(row["similarity"]))
            if isinstance(words := row.get("words"), list):
                if present := sorted({*re.findall(rf"\b(?:{'|'.join(words)})\b", text)}):
                    word = draw.choice(present)
                    other = draw.choice([one for one in words if one != word])
                    yield kind, (re.sub(rf"\b{word}\b", other, text, count=1), label, similarity)
            elif isinstance(texts := row["texts"], list):
                changed = re.sub(str(row["pattern"]), draw.choice(texts), text, count=1)
                yield kind, (changed, label, similarity)
        yield "phrase", (self.said_otherwise(text, draw), "same", 1.0)
        if numbers := list(NUMBER.finditer(text)):
            number = draw.choice(numbers)
            other = self._other_number(number[0], draw)
            yield "digits", (self._spliced(text, number, other), "contradicts", 0.6)
        if words := [word for word in WORD.finditer(text) if word[0] in self.opposites]:
            word = draw.choice(words)
            other = draw.choice(self.opposites[word[0]])
            yield "opposite", (self._spliced(text, word, other), "contradicts", 0.4)
        names = sorted({*NAME.findall(text)} - self.listed)
        if len(names) > 1:
            first, second = draw.sample(names, 2)
            exchange = {first: second, second: first}
            pattern = rf"\b({first}|{second})\b"
            yield "names", (re.sub(pattern, lambda name: exchange[name[0]], text), "altered", 0.5)

    @staticmethod
    def _spliced(text: str, place: re.Match[str], other: str) -> str:
        return text[: place.start()] + other + text[place.end() :]

    @staticmethod
    def _other_number(number: str, draw: random.Random) -> str:
        digits = list(number)
        place = draw.randrange(len(digits))
        digits[place] = draw.choice([d for d in "123456789" if d != digits[place]])
        return "".join(digits)
