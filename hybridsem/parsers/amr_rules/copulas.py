"""Copulas and "there is" as AMR: what is said of a subject without a verb of its own."""

from __future__ import annotations

from abc import abstractmethod

from hybridsem.parsers.amr_rules import tables as amr
from hybridsem.parsers.amr_rules.adjuncts import Adjuncts
from hybridsem.parsers.amr_rules.words import UNKNOWN

__all__ = ["Copulas"]


class Copulas(Adjuncts):
    """Builds predicates that are no verbs."""

    @abstractmethod
    def modal(self, i: int, below: list[int], core: int, top: int | None = None) -> int:
        """Modality and negation above a predicate; returns the clause's node."""

    def predicative(self, i: int, below: list[int], subject: int | None) -> int:
        """What a copula says of its subject, or the subject of a clause without a verb."""
        graph, token, preposition = self.graph, self.tokens[i], self.preposition(i)
        rest = [c for c in below if self.base[c] not in ("nsubj", "csubj", "cop")]
        if token.pos == "ADJ":
            top = self.quality(i, subject, predicated=True)
            core = self.core[i]
            self.frame_dependents(rest, i, core)
            return self.modal(i, below, core, top)
        if token.pos in ("ADV", "ADP") or self.lower[i] in ("here", "there", "where"):
            place = graph.node("be-located-at-91")
            self.core[i] = self.top[i] = place
            if subject is not None:
                graph.edge(place, "ARG1", subject)
            graph.edge(
                place, "ARG2", graph.node(UNKNOWN if self.is_wh(i) else self.adverb_concept(i))
            )
            self.frame_dependents(rest, i, place)
            return self.modal(i, below, place)
        if preposition and subject is not None and not self.has(i, "nmod:poss"):
            return self.placed(i, below, rest, subject, preposition)
        if self.is_wh(i) and subject is not None:
            graph.edge(subject, "domain", graph.node(UNKNOWN))
            self.core[i] = self.top[i] = subject
            self.frame_dependents(rest, i, subject)
            return self.modal(i, below, subject)
        core, words = self.entity(i)
        self.core[i] = self.top[i] = core
        if subject is not None:
            graph.edge(core, "domain", subject)
        top = core
        for c in rest:
            if c not in words and not self.is_negator(c):
                if self.base[c] in ("obl", "advmod", "advcl", "ccomp", "parataxis", "vocative"):
                    self.verb_dependent(c, i, core, False)
                else:
                    top = self.dependent(c, i, core, top)
        return self.modal(i, below, core, top)

    def placed(
        self, i: int, below: list[int], rest: list[int], subject: int, preposition: str
    ) -> int:
        """``The cat is in the box.``"""
        graph = self.graph
        noun, words = self.entity(i)
        self.core[i] = self.top[i] = noun
        inside = [
            c
            for c in rest
            if self.base[c] in ("det", "amod", "nummod", "nmod", "compound", "acl", "flat")
        ]
        for c in inside:
            if c not in words:
                self.dependent(c, i, noun, noun)
        frame, first, second = amr.PREDICATED.get(preposition, ("be-located-at-91", "ARG1", "ARG2"))
        if self.is_time(i, preposition):
            frame = "be-temporally-at-91"
        core = graph.node(frame)
        graph.edge(core, first, subject)
        if preposition in amr.RELATIONAL_PREPOSITIONS:
            noun = self.under(preposition, noun)
        graph.edge(core, second, noun)
        self.core[i] = core
        for c in rest:
            if c not in inside and c not in words:
                self.verb_dependent(c, i, core, False)
        return self.modal(i, below, core)

    def frame_dependents(self, rest: list[int], i: int, core: int) -> None:
        for c in rest:
            if c not in self.used and not (
                self.base[c] == "advmod" and self.lower[c] in ("more", "most", "less", "as", "too")
            ):
                self.verb_dependent(c, i, core, False)

    def existential(self, i: int, below: list[int]) -> int | None:
        """``there is a dog in the garden``: the dog, or what it does."""
        subject = self.relation_of(i, "nsubj")
        if subject is None:
            return None
        doing = self.existing(i)
        if doing is not None:
            node = self.node(subject) if doing not in self.subtree(subject) else None
            if node is None:
                self.skipped = doing
                node = self.node(subject)
                self.skipped = -1
            self.used.add(doing)
            top = self.clause(doing, (node, "obj" if self.is_passive(doing, True) else "subj"))
            top = self.top[doing] = self.coordinated(doing, top)
            self.core[i] = self.core[doing]
            for c in below:
                if c not in (subject, doing):
                    self.verb_dependent(c, i, self.core[doing], False)
            return top
        core = self.node(subject)
        self.core[i] = self.core.get(subject, core)
        for c in below:
            if c != subject and not self.is_negator(c):
                self.verb_dependent(c, i, core, False)
        return self.modal(i, below, core)
