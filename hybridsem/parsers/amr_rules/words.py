"""Queries of the AMR rules about the words of a tree, and the frames of words.

    word, part of speech, particle   --Frames.of-->    concept        destruction NOUN -> destroy-01
    concept, syntactic place         --Frames.role-->  role           give-01, "to" -> :ARG2

``models/amr/frames.py`` counts the table of frames (``hybridsem/data/amr.json``) on annotated text
with the same :func:`place`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from math import isfinite
from typing import Any, NamedTuple

from hybridsem._utils.tables import by_word
from hybridsem._utils.weights import weight_file
from hybridsem.english.numbers import CARDINALS
from hybridsem.english.words import NOT, QUESTION_WORDS
from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.trees.clauses import SUBJECTS, Clauses

DEFAULT_ROLES = by_word({"ARG0": "subj subj0", "ARG1": "obj ccomp xcomp", "ARG2": "iobj"})
"""The argument in each syntactic place of an unknown frame."""

OBJECTS = ("obj", "ccomp", "xcomp")


def place(tree: Clauses, head: int, dependent: int, passive: bool) -> str:
    """Return the syntactic place of a dependent of a predicate, as in the active voice. It is
    ``subj`` (``subj0`` without any object), ``obj``, ``iobj``, ``ccomp``, ``xcomp``, ``pred`` (a
    predicative), ``poss``, ``compound``, ``amod``, ``adv``, ``to+`` (an infinitive), else the
    preposition; "" for a word that is not an argument.
    """
    base, relation = tree.base[dependent], tree.relation[dependent]
    if base in ("nsubj", "csubj"):
        if passive:
            return "iobj" if tree.has(head, "obj") else "obj"
        return "subj" if tree.has(head, *OBJECTS) else "subj0"
    if base == "xcomp":
        verbal = tree.pos[dependent] == "VERB" or tree.has(dependent, "cop")
        return "xcomp" if verbal else "pred"
    if base in ("obj", "iobj", "ccomp", "compound", "amod"):
        return "" if relation == "compound:prt" else base
    if base == "advmod" or relation == "nmod:poss":
        return "adv" if base == "advmod" else "poss"
    if base in ("obl", "nmod"):
        if passive and (relation == "obl:agent" or tree.is_by_agent(dependent)):
            return "subj"
        return tree.preposition(dependent)
    if base in ("advcl", "acl") and relation != "acl:relcl":
        mark = tree.relation_of(dependent, "mark")
        if mark is not None:
            return "to+" if tree.lower[mark] == "to" else tree.lower[mark]
    return ""


class Frames(NamedTuple):
    """The table of frames. ``words`` maps ``lemma/POS`` to a concept: ``lemma/VERB/t`` (``/i``) is
    the verb with (without) an object, ``lemma_particle/VERB`` the verb with a particle. ``roles``
    maps a concept to its arguments by place, where not the default. ``light`` has light verbs:
    ``make decision``.
    """

    words: dict[str, str]
    roles: dict[str, dict[str, str]]
    light: frozenset[str] = frozenset()

    def of(self, lemma: str, pos: str) -> str | None:
        """Return the concept of a word, or None where it is the lemma."""
        return self.words.get(f"{lemma}/{pos}")

    def verb(self, lemma: str, particle: str, transitive: bool) -> str:
        """Return the sense of a verb; ``-01`` if unknown."""
        return (
            (self.words.get(f"{lemma}_{particle}/VERB") if particle else None)
            or self.words.get(f"{lemma}/VERB/{'t' if transitive else 'i'}")
            or self.words.get(f"{lemma}/VERB")
            or f"{lemma}-01"
        )

    def placed(self, concept: str, place: str) -> str | None:
        """Return the role of a phrase; an argument "in" and "on" may also be "behind"."""
        known = self.roles.get(concept, {})
        if place in known or place not in tables.PLACES:
            return known.get(place)
        found = {known.get("in"), known.get("on")}
        return found.pop() if len(found) == 1 else None

    def role(self, concept: str, place: str) -> str | None:
        """Return the argument in a place, or None if the frame has none."""
        return self.roles.get(concept, {}).get(place) or DEFAULT_ROLES.get(place)


@cache
def shipped() -> Frames:
    """Return the table inside the package."""
    table: dict[str, Any] = json.loads(weight_file("amr.json"))
    return Frames(table["words"], table["roles"], frozenset(table["light"]))


DEEPEST = 80  # nested phrases
NEGATORS = NOT | {"neither", "never"}
INFERENCES = frozenset({"so", "thus", "therefore", "hence"})
HYPHENATED = frozenset({"amod", "compound", "advmod", "case", "nmod", "obl", "nummod"})
IS_NUMBER = re.compile(r"\d+(\.\d+)?")


class Words(Clauses):
    """A tree and its clauses, with the questions that only AMR asks."""

    def is_content(self, i: int) -> bool:
        """Test if the phrase of a word has more than punctuation."""
        return any(self.pos[t] not in ("PUNCT", "SYM") for t in self.subtree(i))

    def is_wh(self, i: int) -> bool:
        """Test if a word is a question word: "who", "where"."""
        return self.lower[i] in QUESTION_WORDS

    def is_negator(self, i: int) -> bool:
        """Test if a word negates its governor."""
        return self.lemma[i] in NEGATORS

    def place(self, head: int, dependent: int, passive: bool = False) -> str:
        """Return the syntactic place of a dependent."""
        return place(self, head, dependent, passive)

    def opens(self, i: int) -> bool:
        """Test if a word marks the sentence as an inference: "So …"."""
        return (
            self.lower[i] in INFERENCES
            and self.heads[i] == self.tree.root
            and all(self.pos[t] in ("PUNCT", "CCONJ") for t in range(i))
        )

    def is_participle(self, i: int, ending: str) -> bool:
        """Test if a word has the form of a participle in "ing" or "ed"."""
        return self.lower[i].endswith(ending) or (ending == "ed" and self.lower[i] != self.lemma[i])

    def preposition(self, i: int) -> str:
        """Return the preposition of a phrase; "next to" is one preposition."""
        preposition = super().preposition(i)
        if preposition == "to":
            case = self.relation_of(i, "case")
            if case is not None and case > 0 and self.lower[case - 1] == "next":
                return "next to"
        return preposition

    def is_next_to(self, i: int) -> bool:
        """Test if a word is the first of "next to"."""
        return self.lower[i : i + 2] == ["next", "to"]

    def subject_of(self, clause: int) -> int | None:
        """Return the subject of a clause, which it may share with those above it."""
        seen = set()
        while clause not in seen:
            seen.add(clause)
            if (subject := self.relation_of(clause, *SUBJECTS)) is not None:
                return subject
            above = self.heads[clause]
            if above < 0 or self.base[clause] not in ("conj", "advcl", "xcomp"):
                return None
            if self.base[clause] == "xcomp":
                objects = self.below(above, "obj", "iobj")
                if objects:
                    return objects[0]
            clause = above
        return None

    def is_of(self, i: int) -> bool:
        """Test if a phrase depends on a noun with "of"."""
        return self.base[i] == "nmod" and self.preposition(i) == "of"

    def with_ancestors(self, i: int) -> list[int]:
        """Return a word and its ancestors, upwards."""
        found = [i]
        while (i := self.heads[i]) >= 0 and i not in found:
            found.append(i)
        return found

    def hyphenated(self, i: int) -> int | None:
        """Return the first part of a word that a hyphen splits: "grown" of "grown-ups"."""
        first = i - 2
        if first < 0 or self.tokens[i - 1].text != "-" or self.heads[first] != i:
            return None
        alone = all(self.base[c] == "punct" for c in self.children(first))
        return first if alone and self.base[first] in HYPHENATED else None

    def number(self, i: int, within: int = 0) -> str | None:
        """Return the number that a word and its multipliers give, in digits, or None."""
        value = numeral(self.lower[i].replace(",", ""))
        if value is None:
            return None
        for c in self.children(i):
            counts = self.pos[c] == "NUM" and self.base[c] in ("compound", "nummod")
            factor = self.number(c, within + 1) if counts and within < DEEPEST else None
            if factor is not None:
                multiplies = value >= 100 or value == 12
                value = value * float(factor) if multiplies else value + float(factor)
        if not isfinite(value):
            return None
        return f"{value:.0f}" if value == int(value) else f"{value:.6g}"


def numeral(word: str) -> float | None:
    """Return the value of a numeral in digits or letters."""
    if IS_NUMBER.fullmatch(word):
        return float(word)
    parts = word.split("-")
    if all(part in CARDINALS for part in parts):
        return sum(CARDINALS[part] for part in parts)
    return tables.MULTIPLIERS.get(word)
