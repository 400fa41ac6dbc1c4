"""The words of a tree as the rules of AMR ask after them, and the frames of words.

    word, part of speech, particle   --Frames.of-->    concept        destruction NOUN -> destroy-01
    concept, syntactic place         --Frames.role-->  role           give-01, "to" -> :ARG2

The table of frames (``hybridsem/data/amr.json``) is made by ``models/amr/frames.py``, which counts
on annotated text with the same :func:`place`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from math import isfinite
from typing import Any, NamedTuple

from hybridsem._utils.weights import weight_file
from hybridsem.english.words import NOT, QUESTION_WORDS
from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.trees.clauses import SUBJECTS, Clauses
from hybridsem.structures import DependencyTree

DEFAULT_ROLES = {
    "subj": "ARG0",
    "subj0": "ARG0",
    "obj": "ARG1",
    "iobj": "ARG2",
    "ccomp": "ARG1",
    "xcomp": "ARG1",
}
"""The argument in each syntactic place, for a frame of which nothing else is known."""

PLACES = frozenset(
    {"at", "behind", "above", "below", "beneath", "under", "underneath", "near", "beside"}
    | {"between", "among", "inside", "outside", "around", "against", "by", "next to", "over"}
    | {"across"}
)
OBJECTS = ("obj", "ccomp", "xcomp")


def place(tree: Clauses, head: int, dependent: int, passive: bool) -> str:
    """The syntactic place of a dependent of a predicate, as in the active voice.

    ``subj`` (``subj0`` without any object), ``obj``, ``iobj``, ``ccomp``, ``xcomp``, ``pred`` (a
    predicative), ``poss``, ``compound``, ``amod``, ``adv``, ``to+`` (an infinitive), for the rest
    the preposition; "" where no argument stands.

    Args:
        tree: The tree.
        head: The predicate's word.
        dependent: A word that hangs from it.
        passive: Whether the predicate is passive.
    """
    base, relation = tree.base[dependent], tree.relation[dependent]
    if base in ("nsubj", "csubj"):
        if passive:
            return "iobj" if tree.has(head, "obj") else "obj"
        return "subj" if any(tree.base[c] in OBJECTS for c in tree.children(head)) else "subj0"
    if base == "xcomp":
        return (
            "xcomp"
            if tree.tokens[dependent].pos == "VERB" or tree.has(dependent, "cop")
            else "pred"
        )
    if base in ("obj", "iobj", "ccomp", "compound", "amod"):
        return "" if relation == "compound:prt" else base
    if base == "advmod":
        return "adv"
    if relation == "nmod:poss":
        return "poss"
    if base in ("obl", "nmod"):
        if passive and (relation == "obl:agent" or tree.is_by_agent(dependent)):
            return "subj"
        return tree.preposition(dependent)
    if base in ("advcl", "acl") and relation != "acl:relcl":
        mark = tree.relation_of(dependent, "mark")
        if mark is None:
            return ""
        return "to+" if tree.lower[mark] == "to" else tree.lower[mark]
    return ""


class Frames(NamedTuple):
    """The table.

    ``words`` maps ``lemma/POS`` to a concept, with ``lemma/VERB/t`` (``/i``) for the verb with
    (without) an object and ``lemma_particle/VERB`` for the verb with a particle; ``roles`` maps a
    concept to the arguments in those places where they are not the default; ``light`` has the verbs
    that say nothing beside a noun: ``make decision``.
    """

    words: dict[str, str]
    roles: dict[str, dict[str, str]]
    light: frozenset[str] = frozenset()

    def of(self, lemma: str, pos: str) -> str | None:
        """The concept of a word, or None where it is the lemma itself."""
        return self.words.get(f"{lemma}/{pos}")

    def verb(self, lemma: str, particle: str, transitive: bool) -> str:
        """The sense of a verb; ``-01`` where nothing is known."""
        if particle:
            found = self.words.get(f"{lemma}_{particle}/VERB")
            if found:
                return found
        return (
            self.words.get(f"{lemma}/VERB/{'t' if transitive else 'i'}")
            or self.words.get(f"{lemma}/VERB")
            or f"{lemma}-01"
        )

    def placed(self, concept: str, place: str) -> str | None:
        """As :meth:`role`, for phrases: what has an argument "in" and "on" has it "behind" too."""
        known = self.roles.get(concept, {})
        if place in known or place not in PLACES:
            return known.get(place)
        found = {known.get("in"), known.get("on")}
        return found.pop() if len(found) == 1 else None

    def role(self, concept: str, place: str) -> str | None:
        """The argument that stands in a place, None where the frame says nothing about it."""
        return self.roles.get(concept, {}).get(place) or DEFAULT_ROLES.get(place)


@cache
def shipped() -> Frames:
    """The table inside the package."""
    table: dict[str, Any] = json.loads(weight_file("amr.json"))
    return Frames(table["words"], table["roles"], frozenset(table["light"]))


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
        """The syntactic place of a dependent, as :func:`place`, but for "next to"."""
        found = place(self.clauses, head, dependent, passive)
        return self.preposition(dependent) if found == "to" else found

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
