"""The words of a tree, as the rules of AMR ask after them; nothing here changes anything."""

from __future__ import annotations

import re
from math import isfinite

from hybridsem.english.words import NOT, QUESTION_WORDS
from hybridsem.parsers.amr_rules import frames, tables
from hybridsem.parsers.trees.clauses import SUBJECTS, Clauses
from hybridsem.structures import DependencyTree

__all__ = ["DEEPEST", "Words"]

DEEPEST = 80  # phrases within each other; what is deeper has its word and no more
RELATIVE_PRONOUNS = frozenset({"who", "which", "that", "whom", "whose"})
NEGATORS = NOT | {"neither", "never", "nt"}
INFERENCES = frozenset({"so", "thus", "therefore", "hence"})
HYPHENATED = frozenset({"amod", "compound", "advmod", "case", "nmod", "obl", "nummod"})
CLOSING = frozenset({'"', "'", "''", "”", "’", ")"})
IS_NUMBER = re.compile(r"\d+(\.\d+)?")


class Words:
    """A tree, what clauses it has, and what only AMR asks of it."""

    def __init__(self, tree: DependencyTree) -> None:
        clauses = Clauses(tree)
        self.clauses = clauses
        self.root = tree.root
        self.tokens, self.children, self.subtree = tree.tokens, tree.children, clauses.subtree
        self.lower, self.lemma = clauses.lower, clauses.lemma
        self.relation, self.base = clauses.relation, clauses.base
        self.has, self.relation_of = clauses.has, clauses.relation_of
        self.is_time, self.is_passive = clauses.is_time, clauses.is_passive
        self.is_predicate, self.is_existential = clauses.is_predicate, clauses.is_existential
        self.existing = clauses.existing

    def below(self, i: int, *bases: str) -> list[int]:
        """The dependents of ``i`` with one of these relations."""
        return [c for c in self.children(i) if self.base[c] in bases]

    def pos(self, i: int) -> str:
        """The part of speech of a word."""
        return self.tokens[i].pos

    def is_content(self, i: int) -> bool:
        """Whether there is more than punctuation in the phrase of a word."""
        return any(self.tokens[t].pos not in ("PUNCT", "SYM") for t in self.subtree(i))

    def is_wh(self, i: int) -> bool:
        """Whether a word may ask: "who", "where"."""
        return self.lower[i] in QUESTION_WORDS

    def is_negator(self, i: int) -> bool:
        """Whether a word negates the predicate that it hangs from."""
        return self.lower[i] in NEGATORS

    def is_participle(self, i: int, ending: str) -> bool:
        """Whether a word has the form of a participle in "ing" or "ed"."""
        return self.lower[i].endswith(ending) or (ending == "ed" and self.lower[i] != self.lemma[i])

    def is_relative_pronoun(self, i: int) -> bool:
        """Whether a word stands for the noun that its clause modifies, as "which" in "to which"."""
        return (
            self.lower[i] in RELATIVE_PRONOUNS
            and self.tokens[i].pos not in ("SCONJ", "ADP")
            and all(self.base[c] == "case" for c in self.children(i))
        )

    def opens(self, i: int) -> bool:
        """Whether a word at the start of the sentence says that it follows from the one before."""
        return (
            self.lower[i] in INFERENCES
            and self.tokens[i].head == self.root
            and all(self.tokens[t].pos in ("PUNCT", "CCONJ") for t in range(i))
        )

    def is_asked(self) -> bool:
        """Whether the sentence ends in a question mark."""
        last = next((t.text for t in reversed(self.tokens) if t.text not in CLOSING), "")
        return last.endswith("?")

    # --- prepositions and particles

    def preposition(self, i: int) -> str:
        """The preposition of a phrase; "next to" is one whatever the parser makes of it."""
        preposition = self.clauses.preposition(i)
        if preposition == "to":
            case = self.relation_of(i, "case")
            if case is not None and case > 0 and self.lower[case - 1] == "next":
                return "next to"
        return preposition

    def place(self, head: int, dependent: int, passive: bool = False) -> str:
        """The syntactic place of a dependent, as :func:`frames.place`, but for "next to"."""
        place = frames.place(self.clauses, head, dependent, passive)
        return self.preposition(dependent) if place == "to" else place

    def is_next_to(self, i: int) -> bool:
        """Whether a word is the first of "next to"."""
        return self.lower[i : i + 2] == ["next", "to"]

    def particle(self, i: int) -> str:
        """The particle of a verb, or ""."""
        particles = (c for c in self.children(i) if self.relation[c] == "compound:prt")
        return next((self.lower[c] for c in particles), "")

    # --- subjects, owners and modifiers

    def subject_of(self, clause: int) -> int | None:
        """The subject of a clause, its own or the one it shares with those above it."""
        seen = set()
        while clause not in seen:
            seen.add(clause)
            subject = next((c for c in self.children(clause) if self.base[c] in SUBJECTS), None)
            if subject is not None:
                return subject
            above = self.tokens[clause].head
            if above < 0 or self.base[clause] not in ("conj", "advcl", "xcomp"):
                return None
            if self.base[clause] == "xcomp":
                objects = self.below(above, "obj", "iobj")
                if objects:
                    return objects[0]
            clause = above
        return None

    def possessors(self, i: int) -> list[int]:
        """The owners that hang from a noun: "my", "the man's", "of the man"."""
        return [c for c in self.children(i) if self.relation[c] == "nmod:poss" or self.is_of(c)]

    def is_of(self, i: int) -> bool:
        """Whether a phrase hangs from a noun with "of"."""
        return self.base[i] == "nmod" and self.preposition(i) == "of"

    def hyphenated(self, i: int) -> int | None:
        """The first part of a word that a hyphen splits: "grown" of "grown-ups"."""
        first = i - 2
        if first < 0 or self.tokens[i - 1].text != "-" or self.tokens[first].head != i:
            return None
        alone = all(self.base[c] == "punct" for c in self.children(first))
        return first if alone and self.base[first] in HYPHENATED else None

    # --- numbers

    def number(self, i: int, within: int = 0) -> str | None:
        """The number that a word and what counts it stand for, in digits; none beyond floats."""
        value = numeral(self.lower[i].replace(",", ""))
        if value is None:
            return None
        for c in self.children(i):
            counts = self.tokens[c].pos == "NUM" and self.base[c] in ("compound", "nummod")
            factor = self.number(c, within + 1) if counts and within < DEEPEST else None
            if factor is not None:
                multiplies = value >= 100 or value == 12
                value = value * float(factor) if multiplies else value + float(factor)
        if not isfinite(value):
            return None
        return f"{value:.0f}" if value == int(value) else f"{value:.6g}"


def numeral(word: str) -> float | None:
    """The value of a numeral in digits or letters."""
    if IS_NUMBER.fullmatch(word):
        return float(word)
    if word in tables.NUMBERS:
        return tables.NUMBERS[word]
    if "-" in word and all(part in tables.NUMBERS for part in word.split("-")):
        return sum(tables.NUMBERS[part] for part in word.split("-"))
    return tables.MULTIPLIERS.get(word)
