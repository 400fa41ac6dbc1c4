"""Words of a tree as AMR concepts: lemmas, frames, numbers, pronouns and what they stand for."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from hybridsem.english.words import NOT
from hybridsem.parsers.amr_rules import tables as amr
from hybridsem.parsers.amr_rules.draft import Builder
from hybridsem.parsers.amr_rules.frames import Frames, place
from hybridsem.parsers.trees.clauses import SUBJECTS, Clauses
from hybridsem.structures import DependencyTree

__all__ = ["DEEPEST", "SILENT", "UNKNOWN", "Gap", "Words"]

UNKNOWN = "amr-unknown"
Gap = tuple[int, str]  # the node that a clause modifies, and its syntactic place in the clause
DEEPEST = 80  # phrases within each other; what is deeper has its word and no more
SILENT = frozenset(
    {
        "punct",
        "cc",
        "conj",
        "cop",
        "case",
        "mark",
        "aux",
        "expl",
        "det",
        "fixed",
        "goeswith",
        "dislocated",
    }
)
WH = frozenset({"who", "whom", "whose", "what", "which", "where", "when", "why", "how"})
IS_NUMBER = re.compile(r"\d+(\.\d+)?")
IS_FRAME = re.compile(r".*-\d\d$")
THIRD = frozenset({"he", "she", "it", "they"})


class Words(Clauses, ABC):
    """A tree, the graph that is built from it, and which nodes its words have."""

    def __init__(self, tree: DependencyTree, frames: Frames) -> None:
        super().__init__(tree)
        self.frames = frames
        self.graph = Builder()
        self.core: dict[int, int] = {}  # a word's own node
        self.top: dict[
            int, int
        ] = {}  # the node of its phrase: "and", a modality, a degree above the word's own
        self.shared: dict[str, int] = {}  # pronouns
        self.used: set[int] = set()  # words that have their place in the graph
        self.depth = 0
        self.skipped = -1  # a clause inside a noun phrase that is read apart from it

    @abstractmethod
    def node(self, i: int) -> int:
        """The node of the phrase of a word."""

    def below(self, i: int, *bases: str) -> list[int]:
        """The dependents of ``i`` with one of these relations."""
        return [c for c in self.children(i) if self.base[c] in bases]

    def preposition(self, i: int) -> str:
        """The preposition of a phrase; "next to" is one whatever the parser makes of it."""
        found = super().preposition(i)
        if found == "to":
            case = self.relation_of(i, "case")
            if case is not None and case > 0 and self.lower[case - 1] == "next":
                return "next to"
        return found

    def particle(self, i: int) -> str:
        return next(
            (self.lower[c] for c in self.children(i) if self.relation[c] == "compound:prt"), ""
        )

    def adverb_particle(self, i: int) -> int | None:
        """An adverb that makes another verb of the one before it: "down" in "sat down"."""
        after = (c for c in self.below(i, "advmod") if c > i and not self.children(c))
        return next(
            (c for c in after if f"{self.lemma[i]}+{self.lower[c]}/VERB" in self.frames.words), None
        )

    def verb_concept(self, i: int, passive: bool) -> str:
        """The frame of a verb, by its particle and by whether it has an object."""
        lemma = self.lemma[i]
        objects = self.below(i, "obj")
        for (verb, concept), nouns in amr.OBJECT_SENSES.items():
            if verb == lemma and any(self.lemma[o] in nouns for o in objects):
                return concept
        adverb = self.adverb_particle(i)
        if adverb is not None:
            self.used.add(adverb)
            return self.frames.words[f"{lemma}+{self.lower[adverb]}/VERB"]
        transitive = passive or bool(objects) or bool(self.below(i, "ccomp", "xcomp"))
        return self.frames.verb(lemma, self.particle(i), transitive)

    def adjective_concept(self, i: int) -> str:
        lemma = self.lemma[i]
        if lemma in amr.ADJECTIVE_SENSES:
            return amr.ADJECTIVE_SENSES[lemma]
        if self.lower[i] in amr.COMPARED:
            return amr.COMPARED[self.lower[i]]
        return lemma if lemma in amr.PLAIN else self.frames.of(lemma, "ADJ") or lemma

    def noun_concept(self, i: int) -> str:
        lemma = amr.INDEFINITE.get(self.lower[i], self.lemma[i])
        return lemma if lemma in amr.PLAIN else self.frames.of(lemma, "NOUN") or lemma

    def adverb_concept(self, i: int) -> str:
        """The concept of an adverb: that of the adjective it is made of."""
        word = self.lower[i]
        known = self.frames.of(self.lemma[i], "ADV")
        if (
            known
            or not word.endswith("ly")
            or len(word) < 5
            or word in ("only", "early", "daily", "weekly", "family")
        ):
            return known or self.lemma[i]
        stem = word[:-2]
        for base in (
            stem,
            f"{stem[:-1]}y" if stem.endswith("i") else stem,
            f"{stem}le",
            f"{stem}l",
            stem[:-2],
        ):
            found = amr.ADJECTIVE_SENSES.get(base) or self.frames.of(base, "ADJ")
            if found and base not in amr.PLAIN:
                return found
        return f"{stem[:-1]}y" if stem.endswith("i") else stem

    def is_frame(self, node: int) -> bool:
        return IS_FRAME.fullmatch(self.graph.concepts[node]) is not None

    def argument(self, node: int, where: str, default: str) -> str:
        """The role in a syntactic place of a node's frame."""
        return self.frames.role(self.graph.concepts[node], where) or default

    def place(self, head: int, dependent: int, passive: bool = False) -> str:
        return place(self, head, dependent, passive)

    def number(self, i: int, within: int = 0) -> str | None:
        """The number that a word and what counts it stand for, in digits."""
        word = self.lower[i].replace(",", "")
        if IS_NUMBER.fullmatch(word):
            value = float(word)
        elif word in amr.NUMBERS:
            value = amr.NUMBERS[word]
        elif "-" in word and all(part in amr.NUMBERS for part in word.split("-")):
            value = sum(amr.NUMBERS[part] for part in word.split("-"))
        elif word in amr.MULTIPLIERS:
            value = amr.MULTIPLIERS[word]
        else:
            return None
        for c in self.children(i):
            if (
                self.tokens[c].pos == "NUM"
                and self.base[c] in ("compound", "nummod")
                and within < DEEPEST
            ):
                factor = self.number(c, within + 1)
                if factor is not None:
                    value = (
                        value * float(factor)
                        if value >= 100 or value == 12
                        else value + float(factor)
                    )
        return f"{value:.0f}" if value == int(value) else f"{value:.6g}"

    # --- who is meant
    # -------------------------------------------------------------------------------------------------

    def pronoun(self, i: int) -> int:
        """The node of a pronoun: what it stands for where that is safe, else one node for all of
        its kind.
        """
        concept = amr.PRONOUNS[self.lower[i]]
        if concept in ("this", "that"):
            return self.graph.node(concept)
        if concept in THIRD:
            found = self.antecedent(i, concept)
            if found is not None:
                return found
        return self.person(concept)

    def person(self, concept: str) -> int:
        """The one node of a personal pronoun."""
        if concept not in self.shared:
            self.shared[concept] = self.graph.node(concept)
        return self.shared[concept]

    def antecedent(self, i: int, concept: str) -> int | None:
        """The subject, of its own clause for a possessive and of one around it, that a pronoun
        agrees with.
        """
        own = self.relation[i] == "nmod:poss" or self.lower[i].endswith(("self", "selves"))
        at, first = i, True
        seen = {i}
        while (at := self.tokens[at].head) >= 0 and at not in seen:
            seen.add(at)
            subject = next((c for c in self.children(at) if self.base[c] == "nsubj"), None)
            if subject is None or (subject in seen and subject != i):
                if (
                    first and subject is None and self.base[at] == "acl"
                ):  # "a man brushing his teeth"
                    noun = self.tokens[at].head
                    if noun >= 0 and noun in self.core and own and self.agrees(noun, concept):
                        return self.core[noun]
                continue
            if subject == i and first:  # "when the man came, he …"
                for clause in self.below(at, "advcl"):
                    other = next(
                        (c for c in self.children(clause) if self.base[c] == "nsubj" and c < i),
                        None,
                    )
                    if other is not None and self.agrees(other, concept):
                        return self.node(other)
            if (own or not first) and subject < i and self.agrees(subject, concept):
                return self.top.get(subject, self.core.get(subject))
            first = False
        return None

    def agrees(self, noun: int, concept: str) -> bool:
        """Whether a noun may be meant by a pronoun of the third person."""
        if self.tokens[noun].pos not in ("NOUN", "PROPN"):
            return False
        word, lemma = self.lower[noun], self.lemma[noun]
        plural = word != lemma or self.has(noun, "conj")
        if concept == "they":
            return plural or lemma in amr.COLLECTIONS or word == "people"
        if concept == "it":
            return not plural and lemma not in amr.PEOPLE
        return not plural and lemma not in (amr.FEMALE if concept == "he" else amr.MALE)

    def subject_of(self, clause: int) -> int | None:
        """The word that is the subject of a clause, its own or the one it shares with those above
        it.
        """
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

    def is_content(self, c: int) -> bool:
        """Whether there is more than punctuation below a word."""
        return any(self.tokens[t].pos not in ("PUNCT", "SYM") for t in self.subtree(c))

    def is_participle(self, i: int, ending: str) -> bool:
        return self.lower[i].endswith(ending) or (ending == "ed" and self.lower[i] != self.lemma[i])

    def is_relative_pronoun(self, i: int) -> bool:
        """As "which" in "to which"."""
        return (
            self.lower[i] in ("who", "which", "that", "whom", "whose")
            and self.tokens[i].pos not in ("SCONJ", "ADP")
            and all(self.base[c] == "case" for c in self.children(i))
        )

    def is_wh(self, i: int) -> bool:
        return self.lower[i] in WH

    def is_negator(self, i: int) -> bool:
        return self.lower[i] in NOT | {"neither", "never", "nt"}
