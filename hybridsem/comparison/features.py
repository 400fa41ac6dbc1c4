"""Features that function words mark on their governors: negation, modals, quantifiers, …"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import ClassVar

from hybridsem._utils.tables import by_word, read_table, word_set
from hybridsem.comparison.sentence import Sentence
from hybridsem.english.function_words import SCALES
from hybridsem.english.signatures import DENIALS
from hybridsem.english.words import ARTICLES, MODALS, NEGATORS, QUESTION_WORDS
from hybridsem.structures import Token

_TABLE = read_table(__file__)
QUANTIFIERS = SCALES["quantity"]
BOUNDS = by_word(_TABLE["bounds"])
BEFORE_LITTLE = word_set(_TABLE["before_little"])
UNINFORMATIVE = ARTICLES | word_set(_TABLE["uninformative"])
"""Function words whose presence has no meaning."""
DENYING = frozenset(NEGATORS | {"without"}) | {
    word
    for scale in ("frequency", "degree")
    for word, degree in SCALES[scale].items()
    if degree.denies and " " not in word and word != "little"
}
"""Words that negate a clause."""
REFUSING = frozenset(lemma for lemma, _ in DENIALS)
DENIED_ARGUMENTS = frozenset({"nsubj", "obj"})
"""Arguments whose negation negates the clause: "no man smiles", "nobody smiles"."""
CACHED_FORMS = 65_536


@lru_cache(CACHED_FORMS)
def is_visible(word: str) -> bool:
    """Test if a word has a letter or a digit."""
    return word.isalnum() or any(map(str.isalnum, word))


def function_words_of(words: Sequence[int], lemmas: Sequence[str]) -> frozenset[str]:
    """Return the informative lemmas of the tokens that are not content ``words``."""
    content = frozenset(words)
    return frozenset(
        [
            lemma
            for i, lemma in enumerate(lemmas)
            if i not in content and lemma not in UNINFORMATIVE and is_visible(lemma)
        ]
    )


class FunctionWordFeatures:
    """The features that function words give each token of a tree.

    ``absorbed`` are tokens that are read as a feature of another word.
    """

    def __init__(
        self, tokens: Sequence[Token], relations: Sequence[str], lemmas: Sequence[str]
    ) -> None:
        size = len(tokens)
        self.tokens, self.bare, self.lemmas = tokens, relations, lemmas
        self.prepositions: list[str | None] = [None] * size
        self.connectives: list[str | None] = [None] * size
        self.modals: list[str | None] = [None] * size
        self.quantifiers: list[str | None] = [None] * size
        self.negations = [0] * size
        self.absorbed: set[int] = set()
        self._read_bounds([i for i, token in enumerate(tokens) if token.pos == "NUM"])
        readers = self.MARKER_RELATIONS
        for i, (lemma, relation) in enumerate(zip(lemmas, relations, strict=True)):
            if i not in self.absorbed:
                if lemma in DENYING and not (lemma == "nor" and "neither" in lemmas[:i]):
                    self._negate(i)
                if relation in readers and tokens[i].head >= 0:
                    readers[relation](self, i, tokens[i].head, lemma)

    def _read_bounds(self, numbers: Sequence[int]) -> None:
        """Read "at least three" and "no fewer than three": the bound is the number's quantifier."""
        forms = [token.text.lower() for token in self.tokens] if numbers else []
        for i in numbers:
            for length in (3, 2):
                bound = BOUNDS.get(" ".join(forms[max(0, i - length) : i]))
                if bound is not None:
                    self.quantifiers[i] = bound
                    self.absorbed.update(range(i - length, i))
                    break

    def _negate(self, i: int) -> None:
        token, relation = self.tokens[i], self.bare[i]
        alone = token.pos == "PRON" and relation != "det"
        denied = i if token.head < 0 or alone else token.head
        if self.bare[denied] in DENIED_ARGUMENTS and relation != "case":
            denied = self.tokens[denied].head
        self.negations[denied] += 1

    def _read_preposition(self, _: int, head: int, lemma: str) -> None:
        before = self.prepositions[head]
        self.prepositions[head] = f"{before} {lemma}" if before not in (None, lemma) else lemma

    def _read_connective(self, i: int, head: int, lemma: str) -> None:
        self.connectives[head] = lemma
        self.absorbed.add(i)
        if lemma == "unless":
            self.connectives[head] = "if"
            self.negations[head] += 1

    def _read_adverb(self, i: int, head: int, lemma: str) -> None:
        if lemma in QUESTION_WORDS:
            self._read_connective(i, head, lemma)
        elif lemma == "as":  # of "as tall as"
            self.absorbed.add(i)
        else:
            self._read_quantifier(i, head, lemma)

    def _read_auxiliary(self, i: int, head: int, lemma: str) -> None:
        if self.tokens[i].text.lower() == "having" and self.bare[head] == "advcl":
            self.connectives[head] = self.connectives[head] or "after"
        elif lemma in MODALS:
            self.modals[head] = lemma

    def _read_quantifier(self, i: int, head: int, lemma: str) -> None:
        if lemma not in QUANTIFIERS or lemma in ARTICLES or self.tokens[i].pos == "NUM":
            return
        before = self.lemmas[i - 1] if i else ""
        if lemma != "little" or before not in BEFORE_LITTLE:
            phrase = f"{before} {lemma}"
            self.quantifiers[head] = phrase if phrase in QUANTIFIERS else lemma
            self.absorbed.add(i)

    MARKER_RELATIONS: ClassVar[
        Mapping[str, Callable[[FunctionWordFeatures, int, int, str], None]]
    ] = MappingProxyType(
        {
            "case": _read_preposition,
            "mark": _read_connective,
            "advmod": _read_adverb,
            "aux": _read_auxiliary,
            "det": _read_quantifier,
            "amod": _read_quantifier,
            "nummod": _read_quantifier,
        }
    )
    """The reader of each relation of words that mark their governor."""


def deniers(sentence: Sentence) -> list[int]:
    """Return the tokens that negate."""
    content = sentence.position
    return [
        at
        for at, lemma in enumerate(sentence.lemmas)
        if lemma in DENYING or (lemma in REFUSING and at not in content)
    ]
