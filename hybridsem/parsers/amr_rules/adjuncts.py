"""What stands beside a predicate in AMR: adverbs, prepositional phrases, times, and adverbial
clauses.
"""

from __future__ import annotations

from abc import abstractmethod

from hybridsem.parsers.amr_rules import tables as amr
from hybridsem.parsers.amr_rules.nouns import Nouns
from hybridsem.parsers.amr_rules.words import DEEPEST, UNKNOWN, Gap
from hybridsem.parsers.verbnet import tables

__all__ = ["Adjuncts"]


class Adjuncts(Nouns):
    """Attaches adjuncts to the node of a predicate."""

    @abstractmethod
    def clause(self, i: int, gap: Gap | None = None, subject: int | None = None) -> int:
        """The node of a clause."""

    @abstractmethod
    def coordinated(self, i: int, first: int) -> int:
        """The node above a phrase and what is coordinated with it."""

    def adverb(self, c: int, i: int, core: int) -> None:
        """An adverb beside a verb, an adjective or a noun."""
        graph, word = self.graph, self.lower[c]
        if self.depth >= DEEPEST or c in self.used or self.opens(c) or self.is_negator(c):
            return
        if self.is_wh(c):
            self.asked(word, i, core)
            return
        self.used.add(c)
        if self.is_next_to(c):
            beside = self.beside(c)
            if beside is not None:
                graph.edge(
                    core, self.frames.placed(graph.concepts[core], "next to") or "location", beside
                )
            return
        fixed = " ".join([word, *(self.lower[d] for d in self.below(c, "fixed"))])
        if fixed in amr.FIXED_ADVERBS:
            node = self.core[c] = self.top[c] = graph.node(amr.FIXED_ADVERBS[fixed])
            graph.edge(core, "time" if fixed == "no longer" else "mod", node)
            return
        if word == "ago":
            self.ago(c, core)
            return
        if self.tokens[c].pos in ("NOUN", "PROPN", "NUM", "VERB"):
            graph.edge(core, "time" if self.is_time(c, "") else "mod", self.node(c))
            return
        node = self.core[c] = self.top[c] = graph.node(self.adverb_concept(c))
        role = self.adverb_role(c, i)
        place = (
            self.frames.roles.get(graph.concepts[core], {}).get("adv")
            if role in ("location", "direction")
            else None
        )
        if role == "manner" and self.is_frame(node):
            graph.edge(node, "ARG1", core)
        else:
            graph.edge(core, place or role, node)
        for d in self.children(c):
            if self.base[d] == "advmod" and word != "as":
                self.depth += 1
                self.adverb(d, c, node)
                self.depth -= 1
            elif self.base[d] in ("obl", "nmod") and d not in self.used:
                graph.edge(node, "op1", self.node(d))
                self.used.add(d)

    def opens(self, c: int) -> bool:
        """Whether a word at the start of the sentence says that it follows from the one before."""
        return (
            self.lower[c] in ("so", "thus", "therefore", "hence")
            and self.tokens[c].head == self.tree.root
            and all(self.tokens[t].pos in ("PUNCT", "CCONJ") for t in range(c))
        )

    def because(self, reason: int, core: int) -> None:
        cause = self.graph.node("cause-01")
        self.graph.edge(cause, "ARG0", reason)
        self.graph.edge(cause, "ARG1", core)

    def ago(self, c: int, core: int) -> None:
        """``six years ago`` is before now, by six years."""
        graph = self.graph
        node = self.core[c] = self.top[c] = graph.node("before")
        graph.edge(node, "op1", graph.node("now"))
        for d in self.below(c, "obl", "nmod", "advmod"):
            graph.edge(node, "quant", self.node(d))
        graph.edge(core, "time", node)

    def adverb_role(self, c: int, i: int) -> str:
        word = self.lower[c]
        qualified = self.tokens[i].pos in ("ADJ", "ADV", "NUM", "DET") or self.base[i] == "amod"
        if word in amr.DEGREE_ADVERBS and (qualified or word not in ("too", "so", "really")):
            return "degree"
        if word in amr.ADVERB_ROLES:
            return amr.ADVERB_ROLES[word]
        if qualified and word.endswith("ly"):
            return "degree"
        if word.endswith("ly"):
            return "manner"
        role = tables.ADVERBS.get(word, ("",))[0]
        return {"Time": "time", "Location": "location", "Trajectory": "direction"}.get(
            role, "manner" if role else "mod"
        )

    def asked(self, word: str, i: int, core: int) -> None:
        """What a question asks for: a place, a time, a reason."""
        unknown = self.graph.node(UNKNOWN)
        if word == "why":
            self.because(unknown, core)
            return
        qualified = self.tokens[i].pos in ("ADJ", "ADV")
        role = {
            "where": "location",
            "when": "time",
            "how": "degree" if qualified else "manner",
        }.get(word, "mod")
        if role == "location":
            role = self.frames.roles.get(self.graph.concepts[core], {}).get("adv", role)
        self.graph.edge(core, role, unknown)

    def oblique_phrase(self, c: int, i: int, core: int, passive: bool) -> None:
        graph, preposition = self.graph, self.preposition(c)
        if self.is_time(c, preposition):
            self.time_phrase(c, core, preposition)
            return
        place = self.place(i, c, passive)
        if place == "subj":
            graph.edge(core, self.argument(core, "subj", "ARG0"), self.node(c))
            return
        role = self.frames.placed(graph.concepts[core], place) if place else None
        fixed = amr.FIXED_ADVERBS.get(" ".join(self.lower[t] for t in self.subtree(c)))
        if fixed is not None:
            self.used.add(c)
            graph.edge(core, "mod", graph.node(fixed))
            return
        if preposition == "with" and self.lemma[c] in amr.INSTRUMENTS:
            role = "instrument"
        if role is not None:
            graph.edge(core, role, self.wrapped(c, preposition))
            return
        if preposition in amr.RELATIONAL_PREPOSITIONS:
            graph.edge(core, amr.RELATIONAL_PREPOSITIONS[preposition], self.wrapped(c, preposition))
            return
        if (preposition, self.lemma[c]) in amr.RELATIONAL_NOUNS:
            graph.edge(core, "location", self.wrapped(c, preposition))
            return
        node = self.node(c)
        if not preposition:
            graph.edge(core, "extent" if self.lemma[c] in amr.UNITS else "manner", node)
            return
        role = amr.PREPOSITION_ROLES.get(preposition, ("mod", "mod"))[0]
        if preposition == "for" and (
            self.lemma[c] in amr.PEOPLE or self.tokens[c].pos in ("PRON", "PROPN")
        ):
            role = "beneficiary"
        if self.lemma[c] in tables.MANNER_NOUNS.get(preposition, ()):
            role = "manner"
        if role == "cause":
            self.because(node, core)
            return
        if preposition == "without":
            graph.value(node, "polarity", "-")
        graph.edge(core, role, node)

    def time_phrase(self, c: int, core: int, preposition: str) -> None:
        graph = self.graph
        every = any(self.lower[d] in ("every", "each") for d in self.below(c, "det"))
        if (
            every
            and amr.UNITS.get(self.lemma[c]) == "temporal-quantity"
            and not self.has(c, "nummod")
        ):
            rate, time = graph.node("rate-entity-91"), graph.node("temporal-quantity")
            self.core[c] = self.top[c] = rate
            graph.edge(core, "frequency", rate)
            graph.edge(rate, "ARG3", time)
            graph.value(time, "quant", "1")
            graph.edge(time, "unit", graph.node(self.lemma[c]))
            return
        node = self.node(c)
        if graph.concepts[node] == "temporal-quantity" and preposition in (
            "for",
            "",
            "during",
            "through",
            "in",
        ):
            graph.edge(core, "duration", node)
        elif preposition in ("before", "after", "until", "till", "since"):
            above = graph.node(preposition)
            graph.edge(above, "op1", node)
            graph.edge(core, "time", above)
        elif every:
            graph.edge(core, "frequency", node)
        else:
            graph.edge(core, "time", node)

    def adverbial_clause(self, c: int, i: int, core: int) -> None:
        graph = self.graph
        words = [
            self.lower[d]
            for d in self.children(c)
            if self.base[d] in ("mark", "advmod", "case") and d < c
        ]
        mark = next((word for word in words if word in amr.MARKS), "")
        place = self.place(i, c)
        argument = (
            self.frames.roles.get(graph.concepts[core], {}).get(place)
            if place and mark != "to"
            else None
        )
        self.used.update(
            d for d in self.children(c) if self.lower[d] == mark and self.base[d] == "advmod"
        )
        self.used.add(c)
        subject = self.given_subject(core) if not self.has(c, "nsubj") else None
        if self.tokens[c].pos in ("VERB", "AUX") or self.is_predicate(c):
            participle = (
                not mark
                and self.is_passive(c, True)
                and not self.has(c, "nsubj")
                and subject is not None
            )
            node = self.clause(
                c, (subject, "obj") if participle and subject is not None else None, subject
            )
            node = self.top[c] = self.coordinated(c, node)
        else:
            self.used.discard(c)
            node = self.node(c)
        if argument is not None:
            graph.edge(core, argument, node)
            return
        if not words and subject is not None and self.tokens[c].pos == "VERB":
            return  # "sits on a couch, reading": the one who sits is the one who reads
        role, _, concept = amr.MARKS.get(mark, "manner" if not words else "mod").partition("/")
        if mark == "so" and "that" not in words:
            role = "purpose"
        if concept:
            above = graph.node(concept)
            graph.edge(above, "op1", node)
            node = above
        if role == "cause":
            self.because(node, core)
        else:
            if mark in ("unless", "without"):
                graph.value(node, "polarity", "-")
            graph.edge(core, role, node)

    def given_subject(self, core: int) -> int | None:
        for role in ("ARG0", "ARG1"):
            found = self.graph.target(core, role)
            if found is not None:
                return found
        return None
