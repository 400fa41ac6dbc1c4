"""Sentences as AMR: phrases by their kind, coordination, speech, openings and questions."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables as amr
from hybridsem.parsers.amr_rules.clauses import AmrClauses
from hybridsem.parsers.amr_rules.words import DEEPEST, SILENT, UNKNOWN

__all__ = ["Sentence"]


class Sentence(AmrClauses):
    """Builds the graph of a whole sentence; mutable, used once."""

    def read(self) -> int:
        """Build everything; returns the root's node."""
        root = self.tree.root
        top = self.node(root)
        asides = [
            c
            for c in self.children(root)
            if self.base[c] in ("parataxis", "list") and c not in self.used
        ]
        parts = []
        for c in asides:
            said = self.saying(c)
            if said:
                speech = self.node(c)
                self.graph.edge(self.core[c], "ARG1", top)
                top = speech
            elif self.is_content(c):
                parts.append(self.node(c))
        if parts:
            above = self.graph.node("and")
            for n, part in enumerate([top, *parts], start=1):
                self.graph.edge(above, f"op{n}", part)
            top = above
        top = self.opening(root, self.therefore(root, top))
        return self.question(root, top)

    def saying(self, c: int) -> bool:
        """Whether an aside says who says the rest: "…, he said"."""
        return (
            self.lemma[c] in amr.SPEECH
            and self.has(c, "nsubj")
            and not self.below(c, "obj", "ccomp")
        )

    def therefore(self, root: int, top: int) -> int:
        """``So …`` at the start of a sentence."""
        if not any(self.opens(c) for c in self.below(root, "advmod", "cc", "mark")):
            return top
        above = self.graph.node("cause-01")
        self.graph.edge(above, "ARG1", top)
        return above

    def opening(self, root: int, top: int) -> int:
        """``But …`` and ``And …`` at the start of a sentence."""
        for c in self.below(root, "cc"):
            before = [t for t in range(c) if self.tokens[t].pos != "PUNCT"]
            if not before and c < root:
                concept = amr.CONJUNCTIONS.get(self.lower[c])
                if concept is not None and concept != "or":
                    above = self.graph.node(concept)
                    self.graph.edge(above, "ARG2" if concept == "contrast-01" else "op2", top)
                    return above
        return top

    def question(self, root: int, top: int) -> int:
        """Yes-or-no questions: the verb stands before the subject and nothing asks for a thing."""
        last = next(
            (
                t.text
                for t in reversed(self.tokens)
                if t.text not in ('"', "'", "''", "”", "’", ")")
            ),
            "",
        )
        if not last.endswith("?") or UNKNOWN in self.graph.concepts:
            return top
        subject = self.relation_of(root, "nsubj")
        first = self.below(root, "aux", "cop")
        if subject is None or not first or first[0] > subject:
            return top
        if any(self.is_negator(c) for c in self.children(root)):
            asked = self.graph.node("request-confirmation-91")
            self.graph.edge(asked, "ARG1", top)
        else:
            self.graph.edge(top, "polarity", self.graph.node(UNKNOWN))
        return top

    def node(self, i: int) -> int:
        """The node of the phrase of a word, with what is coordinated with it."""
        if i in self.top:
            return self.top[i]
        self.used.add(i)
        if self.depth >= DEEPEST:
            self.core[i] = self.top[i] = self.graph.node(self.lemma[i])
            return self.top[i]
        self.depth += 1
        self.top[i] = self.coordinated(i, self.single(i))
        self.depth -= 1
        return self.top[i]

    def single(self, i: int) -> int:
        """The node of a phrase without what is coordinated with it."""
        token = self.tokens[i]
        if (
            token.pos == "VERB"
            or self.is_predicate(i)
            or (token.pos == "AUX" and self.lemma[i] in ("be", "do", "have"))
        ):
            return self.clause(i)
        if token.pos == "ADJ" and self.lower[i] not in amr.PRONOUNS:
            return self.quality(i, None)
        if token.pos in ("ADV", "ADP", "SCONJ") and not self.is_wh(i):
            node = self.core[i] = self.top[i] = self.graph.node(self.adverb_concept(i))
            for c in self.children(i):
                if self.base[c] not in SILENT:
                    self.dependent(c, i, node, node)
            return node
        if token.pos == "INTJ":
            node = self.core[i] = self.top[i] = self.graph.node(self.lemma[i])
            if self.lower[i] in amr.DISCOURSE and self.lower[i] not in ("yes", "no", "please"):
                self.graph.value(node, "mode", "expressive")
            for c in self.children(i):
                if self.base[c] not in SILENT:
                    self.dependent(c, i, node, node)
            return node
        return self.nominal(i)

    def coordinated(self, i: int, first: int) -> int:
        others = [c for c in self.below(i, "conj") if c not in self.top and self.is_content(c)]
        if not others:
            return first
        concept = "and"
        for c in (*others, i):
            for d in self.below(c, "cc"):
                concept = amr.CONJUNCTIONS.get(self.lower[d], concept)
        if concept == "contrast-01" and len(others) > 1:
            concept = "and"
        above = self.graph.node(concept)
        self.top[i] = above
        roles = (
            ("ARG1", "ARG2")
            if concept == "contrast-01"
            else tuple(f"op{n}" for n in range(1, len(others) + 2))
        )
        self.graph.edge(above, roles[0], first)
        for role, c in zip(roles[1:], others, strict=True):
            self.graph.edge(above, role, self.node(c))
        return above
