"""Adjectives and participles as AMR: qualities, ordinals, nationalities, comparisons and ages."""

from __future__ import annotations

from abc import abstractmethod

from hybridsem.parsers.amr_rules import tables as amr
from hybridsem.parsers.amr_rules.words import DEEPEST, UNKNOWN, Words

__all__ = ["Qualities"]


class Qualities(Words):
    """Builds qualities and what bears them."""

    @abstractmethod
    def adverb(self, c: int, i: int, core: int) -> None:
        """An adverb ``c`` that modifies the word ``i``."""

    @abstractmethod
    def verb_dependent(self, c: int, i: int, core: int, passive: bool) -> None:
        """Attach what hangs from a predicate, or what an adjective asks for."""

    def quality(self, i: int, bearer: int | None, predicated: bool = False) -> int:
        """An adjective or participle; it says something about ``bearer``. Returns the node above
        it.
        """
        graph, word, lemma = self.graph, self.lower[i], self.lemma[i]
        if (
            lemma in amr.ORDINALS
            and not predicated
            and bearer is not None
            and lemma != "second-hand"
        ):
            node = graph.node("ordinal-entity")
            graph.value(node, "value", str(amr.ORDINALS[lemma]))
            graph.edge(bearer, "ord", node)
            self.core[i] = self.top[i] = node
            return node
        if word in amr.QUANTITIES and not predicated and bearer is not None:
            node = graph.node(
                UNKNOWN
                if self.asks_how(i)
                else self.lemma[i]
                if word not in ("more", "most")
                else word
            )
            graph.edge(bearer, "quant", node)
            self.core[i] = self.top[i] = node
            self.adverbs(i, node, skip_how=True)
            return node
        if word in amr.NATIONS:
            node = self.nation(word)
        elif self.tokens[i].pos == "VERB":
            node = graph.node(
                self.verb_concept(
                    i, self.is_participle(i, "ed") and not self.is_participle(i, "ing")
                )
            )
        elif lemma in amr.MATERIALS_ADJECTIVES:
            node = graph.node(amr.MATERIALS_ADJECTIVES[lemma])
            if bearer is not None and not predicated:
                graph.edge(bearer, "consist-of", node)
                self.core[i] = self.top[i] = node
                return node
        else:
            node = graph.node(self.adjective_concept(i))
        if lemma in ("impossible", "unable"):
            graph.value(node, "polarity", "-")
        self.core[i] = self.top[i] = node
        degree = self.degree(i)
        top = node
        if degree is not None:
            top = self.compare(i, node, degree, bearer)
        elif bearer is not None:
            self.bear(i, node, bearer, predicated)
        if degree is None:
            self.age(i, node, bearer)
        skip = {degree} if degree is not None else set()
        if not predicated:
            for c in self.children(i):
                if c not in skip and self.base[c] not in ("conj", "cc", "punct"):
                    if self.base[c] == "advmod":
                        self.adverb(c, i, node)
                    elif self.base[c] in ("obl", "nmod", "advcl", "ccomp", "xcomp", "obj"):
                        self.verb_dependent(c, i, node, False)
                    elif self.base[c] == "compound":
                        graph.edge(node, "mod", self.node(c))
            for c in self.below(i, "conj"):
                if (
                    bearer is not None
                    and self.tokens[c].pos in ("ADJ", "VERB", "NOUN")
                    and self.depth < DEEPEST
                ):
                    self.depth += 1
                    self.quality(c, bearer)
                    self.depth -= 1
        self.top[i] = top
        return top

    def adverbs(self, i: int, node: int, skip_how: bool = False) -> None:
        for c in self.below(i, "advmod"):
            if not (skip_how and self.lower[c] == "how"):
                self.adverb(c, i, node)

    def asks_how(self, i: int) -> bool:
        return any(self.lower[c] == "how" for c in self.below(i, "advmod"))

    def bear(self, i: int, node: int, bearer: int, predicated: bool) -> None:
        """The edge between a quality and what has it."""
        if self.is_frame(node):
            active = self.tokens[i].pos != "VERB" or self.is_participle(i, "ing")
            known = self.frames.roles.get(self.graph.concepts[node], {})
            role = known.get("amod-of") or known.get("subj0" if active else "obj")
            self.graph.edge(
                node,
                role or ("ARG0" if active and self.tokens[i].pos == "VERB" else "ARG1"),
                bearer,
            )
        elif predicated:
            self.graph.edge(node, "domain", bearer)
        else:
            self.graph.edge(bearer, "mod", node)

    def degree(self, i: int) -> int | None:
        """The word that compares a quality: "more", "too"; the adjective itself where it is a
        comparative.
        """
        for c in self.below(i, "advmod"):
            if self.lower[c] in ("more", "most", "less", "least", "as", "too"):
                return c
        word, lemma = self.lower[i], self.lemma[i]
        if self.tokens[i].pos == "ADJ" and (
            (word != lemma and word.endswith(("er", "est")))
            or word in ("better", "best", "worse", "worst")
        ):
            return i
        return None

    def compare(self, i: int, node: int, degree: int, bearer: int | None) -> int:
        """``older than you`` as have-degree-91."""
        graph, word = self.graph, self.lower[degree]
        above = graph.node("have-degree-91")
        if bearer is not None:
            graph.edge(above, "ARG1", bearer)
        graph.edge(above, "ARG2", node)
        if degree == i:
            word = "most" if word.endswith("st") else "more"
        graph.edge(above, "ARG3", graph.node({"as": "equal"}.get(word, word)))
        for c in self.children(i):
            if self.base[c] in ("obl", "nmod", "advcl", "ccomp") and c > i:
                marks = {self.lower[d] for d in self.below(c, "case", "mark")}
                if marks & {"than", "as"}:
                    graph.edge(above, "ARG4", self.node(c))
                    self.used.add(c)
                elif word == "too" and "to" in marks:
                    graph.edge(above, "ARG6", self.node(c))
                    self.used.add(c)
        return above

    def age(self, i: int, node: int, bearer: int | None) -> None:
        """``six years old`` is an age."""
        if self.lemma[i] != "old":
            return
        for c in self.below(i, "obl", "nmod"):
            if self.lemma[c] == "year" and self.has(c, "nummod"):
                self.graph.concepts[node] = "age-01"
                if bearer is not None:
                    self.graph.discard(node, "domain", bearer)
                    self.graph.discard(bearer, "mod", node)
                    self.graph.edge(node, "ARG1", bearer)
                self.graph.edge(node, "ARG2", self.node(c))
                self.used.add(c)

    def nation(self, word: str) -> int:
        country = self.graph.node("country")
        self.graph.name(country, amr.NATIONS[word].split())
        return country
