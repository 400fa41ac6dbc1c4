"""Clauses as AMR: predicates with their arguments, modality and negation, and clauses that modify
nouns.
"""

from __future__ import annotations

from abc import abstractmethod

from hybridsem.parsers.amr_rules import tables as amr
from hybridsem.parsers.amr_rules.copulas import Copulas
from hybridsem.parsers.amr_rules.words import DEEPEST, SILENT, Gap

__all__ = ["AmrClauses"]

PLACED = frozenset({"nsubj", "csubj", "obj", "iobj", "ccomp", "xcomp"})


class AmrClauses(Copulas):
    """Builds clauses."""

    @abstractmethod
    def single(self, i: int) -> int:
        """The node of a phrase without what is coordinated with it."""

    def clause(self, i: int, gap: Gap | None = None, subject: int | None = None) -> int:
        """The node of a clause.

        ``gap`` is the node and the place of the noun that the clause modifies; ``subject`` the node
        of a subject that stands elsewhere.
        """
        if self.depth >= DEEPEST:
            self.core[i] = self.top[i] = self.graph.node(self.lemma[i])
            return self.top[i]
        self.depth += 1
        top = self.predication(i, gap, subject)
        self.depth -= 1
        return top

    def predication(self, i: int, gap: Gap | None, subject: int | None) -> int:
        """The predicate of a clause with its arguments and all that hangs from it."""
        below = list(self.children(i))
        inner = self.content_verb(i)
        if inner is None:
            inner = self.inchoative(i)
        if inner is not None:
            return self.coloured(i, inner, gap, subject)
        if self.is_existential(i):
            found = self.existential(i, below)
            if found is not None:
                return found
        copula = (
            next((c for c in below if self.base[c] == "cop"), None)
            if self.tokens[i].pos != "VERB"
            else None
        )
        verbal = self.tokens[i].pos in ("VERB", "AUX") and copula is None
        passive = verbal and self.is_passive(i, False)
        if gap is not None and gap[1] == "obj" and not self.has(i, "nsubj"):
            passive = True
        light = self.light_noun(i) if verbal else None
        if light is not None:
            self.used.add(light)
            core = self.graph.node(self.noun_concept(light))
            self.core[i] = self.top[i] = self.core[light] = self.top[light] = core
        elif verbal:
            core = self.graph.node(self.verb_concept(i, passive))
            self.core[i] = self.top[i] = core
        else:
            core = -1
        subjects = self.below(i, "nsubj", "csubj")
        given: int | None = subject
        extraposed = self.extraposed(i, subjects)
        if extraposed is not None:
            given = self.node(extraposed)
        elif subjects:
            given = self.node(subjects[0])
        elif (
            gap is not None and gap[1] in ("subj", "obj") and not (gap[1] == "obj" and not passive)
        ):
            given = gap[0]
        elif given is None:
            word = self.subject_of(i)
            given = self.top.get(word, self.core.get(word)) if word is not None else None
        if not verbal:
            return self.predicative(i, below, given)
        if given is None and self.is_imperative(i):
            given = self.person("you")
            self.graph.value(core, "mode", "imperative")
        if given is not None:
            place = self.subject_place(i, subjects, passive)
            self.graph.edge(core, self.argument(core, place, "ARG0"), given)
        if gap is not None and gap[1] == "obj" and not passive:
            self.graph.edge(core, self.argument(core, "obj", "ARG1"), gap[0])
        for c in below:
            if c not in subjects and c != light:
                self.verb_dependent(c, i, core, passive)
        if light is not None:
            for c in self.children(light):
                self.dependent(c, light, core, core)
        return self.modal(i, below, core)

    def extraposed(self, i: int, subjects: list[int]) -> int | None:
        """The clause that "it" stands for: "it is hard to swim"."""
        if (
            not subjects
            or self.lower[subjects[0]] != "it"
            or self.tokens[i].pos not in ("ADJ", "NOUN")
        ):
            return None
        for c in self.below(i, "csubj", "ccomp", "xcomp", "advcl"):
            if c > i and any(self.lower[d] in ("to", "that") for d in self.below(c, "mark")):
                return c
        return None

    def subject_place(self, i: int, subjects: list[int], passive: bool) -> str:
        if subjects and self.tokens[subjects[0]].head == i:
            return self.place(i, subjects[0], passive)
        if passive:
            return "obj"
        return "subj" if self.below(i, "obj", "ccomp", "xcomp") else "subj0"

    def content_verb(self, i: int) -> int | None:
        """The infinitive below a verb that only colours it."""
        lemma = self.lemma[i]
        if lemma not in amr.MODAL_PREDICATES and lemma not in amr.SILENT_VERBS:
            return None
        if self.has(i, "obj"):
            return None
        for c in self.below(i, "xcomp"):
            if self.has(c, "mark") or lemma == "gon":
                return c
        return None

    def inchoative(self, i: int) -> int | None:
        """What something becomes: "excited" in "gets excited"."""
        if self.lemma[i] not in amr.INCHOATIVE or self.has(i, "obj"):
            return None
        found = [c for c in self.below(i, "xcomp") if not self.has(c, "mark")]
        return next(
            (c for c in found if self.tokens[c].pos == "ADJ" or self.is_participle(c, "ed")), None
        )

    def light_noun(self, i: int) -> int | None:
        """The object that says what is done: "decision" in "made a decision"."""
        if self.is_passive(i, False):
            return None
        for c in self.below(i, "obj"):
            if f"{self.lemma[i]} {self.lemma[c]}" in self.frames.light and not self.has(c, "conj"):
                concept = self.noun_concept(c)
                if concept[-2:].isdigit():
                    return c
        return None

    def coloured(self, i: int, inner: int, gap: Gap | None, subject: int | None) -> int:
        """``has to go`` as an obligation to go, ``is going to rain`` as raining."""
        words = self.below(i, "nsubj", "csubj")
        given = self.node(words[0]) if words else subject
        if given is None and gap is not None:
            given, gap = gap[0], None
        if given is None:
            word = self.subject_of(i)
            given = self.top.get(word) if word is not None else None
        self.used.add(inner)
        if (
            self.tokens[inner].pos == "VERB"
            and not self.has(inner, "mark")
            and self.lemma[i] in amr.INCHOATIVE
        ):
            gap = (given, "obj") if given is not None else gap
        top = self.clause(inner, gap, given)
        core = self.core.get(inner, top)
        self.top[inner] = top = self.coordinated(inner, top)
        below = [c for c in self.children(i) if c != inner and c not in words]
        entry = amr.MODAL_PREDICATES.get(self.lemma[i])
        for c in below:
            if self.base[c] not in PLACED:
                self.verb_dependent(c, i, core, False)
        if entry is None:
            self.core[i] = core
            return self.modal(i, below, core, top)
        modal = self.core[i] = self.graph.node(entry[0])
        self.graph.edge(modal, entry[1], top)
        return self.modal(i, below, modal)

    def modal(self, i: int, below: list[int], core: int, top: int | None = None) -> int:
        """Modality and negation above a predicate; returns the clause's node."""
        top = core if top is None else top
        negated = [c for c in below if self.is_negator(c)]
        entry = next(
            (
                amr.MODALS[self.lower[c]]
                for c in below
                if self.base[c] == "aux" and self.lower[c] in amr.MODALS
            ),
            None,
        )
        carrier = core
        if entry is not None:
            modal = self.graph.node(entry[0])
            self.graph.edge(modal, entry[1], top)
            if entry[0] == "possible-01":
                carrier = modal
            top = modal
        if negated:
            self.graph.value(carrier, "polarity", "-")
            if any(self.lower[c] == "never" for c in negated):
                self.graph.edge(core, "time", self.graph.node("ever"))
        if any(self.lower[c] == "let" for c in below if self.base[c] == "aux"):
            self.graph.value(top, "mode", "imperative")
        self.top[i] = top
        return top

    def is_imperative(self, i: int) -> bool:
        if self.lower[i] != self.lemma[i] or self.base[i] not in (
            "root",
            "conj",
            "parataxis",
            "ccomp",
        ):
            return False
        if self.base[i] == "conj":
            above = self.tokens[i].head
            return self.core.get(above) is not None and self.graph.has(self.core[above], "mode")
        if any(self.base[c] in ("mark", "expl") for c in self.children(i)):
            return False
        return not [c for c in self.below(i, "aux") if self.lemma[c] != "do"]

    def verb_dependent(self, c: int, i: int, core: int, passive: bool) -> None:
        base, graph = self.base[c], self.graph
        if c in self.used and base not in ("obj", "iobj"):
            return
        if (
            base in SILENT
            or self.relation[c] == "compound:prt"
            or self.is_negator(c)
            or base in ("parataxis", "list")
        ):
            return
        if base in ("obj", "iobj"):
            if self.lemma[i] in amr.RAISING and any(d > c for d in self.below(i, "xcomp")):
                return
            if self.lower[c] == "each" or (
                self.lemma[c] == "other" and self.lower[c - 1] == "each"
            ):
                subject = self.given_subject(core)
                if subject is not None:
                    graph.edge(core, self.argument(core, base, "ARG1"), subject)
                    return
            role = self.argument(core, base, "ARG1" if base == "obj" else "ARG2")
            if graph.concepts[core] == "play-11" and self.lemma[c] in amr.MUSICAL:
                role = "ARG2"
            graph.edge(core, role, self.node(c))
        elif base == "ccomp":
            role = self.argument(core, "ccomp", "ARG1")
            marks = {self.lower[d] for d in self.below(c, "mark")}
            node = self.node(c)
            asked = next(
                (
                    d
                    for d in self.below(c, "nsubj", "obj")
                    if self.lower[d] in ("what", "who", "whom")
                ),
                None,
            )
            if asked is not None and asked in self.core and not self.children(asked):
                node = self.core[asked]
                graph.concepts[node] = "thing" if self.lower[asked] == "what" else "person"
            if marks & {"whether", "if"}:
                truth = graph.node("truth-value")
                graph.edge(truth, "polarity-of", node)
                node = truth
            graph.edge(core, role, node)
        elif base == "xcomp":
            self.controlled(c, i, core)
        elif base == "advcl":
            self.adverbial_clause(c, i, core)
        elif base == "advmod":
            self.adverb(c, i, core)
        elif base in ("obl", "nmod", "nummod"):
            self.oblique_phrase(c, i, core, passive)
        elif base == "vocative":
            say = graph.node("say-01")
            graph.edge(say, "ARG1", core)
            graph.edge(say, "ARG2", self.node(c))
        elif base == "discourse":
            self.interjection(c, core)
        elif base == "acl":
            self.modifying_clause(c, i, core)
        elif base in ("nsubj", "csubj"):
            graph.edge(core, "domain", self.node(c))
        elif self.is_content(c) and base != "reparandum":
            graph.edge(core, "mod", self.node(c))

    def controlled(self, c: int, i: int, core: int) -> None:
        """An open complement: its subject is the object above it, or the subject."""
        graph = self.graph
        role = self.argument(core, self.place(i, c) or "xcomp", "ARG1")
        objects = self.below(i, "obj", "iobj")
        word = objects[0] if objects and objects[0] < c else self.subject_of(i)
        subject = None
        if word is not None:
            subject = self.node(word) if word in objects else self.top.get(word)
        if subject is None and not objects:
            subject = self.given_subject(core)
        self.used.add(c)
        if self.tokens[c].pos in ("VERB", "AUX") or self.has(c, "cop"):
            node = self.clause(c, subject=subject)
            node = self.top[c] = self.coordinated(c, node)
        elif self.tokens[c].pos == "ADJ":
            node = self.quality(c, subject, predicated=True)
        else:
            node = self.node(c)
        graph.edge(core, role, node)

    def modifying_clause(self, clause: int, noun: int, node: int) -> None:
        """A relative clause, a participle or an infinitive that says something about a noun."""
        if clause == self.skipped:
            return
        graph = self.graph
        self.used.add(clause)
        pronouns = [t for t in self.subtree(clause) if t < clause and self.is_relative_pronoun(t)]
        relative = self.relation[clause] == "acl:relcl"
        if relative and pronouns:
            word = pronouns[0]
            self.core[word] = self.top[word] = node
            self.clause_below(clause, None)
            if self.tokens[word].head == clause and self.lower[word] == "whose":
                graph.edge(self.core[clause], "poss", node)
            return
        if relative:
            adverb = next(
                (
                    c
                    for c in self.below(clause, "advmod")
                    if self.lower[c] in ("where", "when", "why")
                ),
                None,
            )
            if adverb is not None:
                self.used.add(adverb)
                top = self.clause_below(clause, None)
                graph.edge(
                    top, {"where": "location", "when": "time"}.get(self.lower[adverb], "ARG1"), node
                )
                return
            subject = self.has(clause, "nsubj")
            stranded = self.below(clause, "obl", "obj", "advmod")
            place = "obj" if subject and not self.has(clause, "obj") else "" if subject else "subj"
            top = self.clause_below(clause, (node, place) if place else None)
            if not place:
                dangling = next(
                    (self.lower[c] for c in stranded if self.tokens[c].pos == "ADP"), ""
                )
                graph.edge(
                    self.core[clause], self.argument(self.core[clause], dangling, "location"), node
                )
            return
        mark = self.relation_of(clause, "mark")
        if mark is None and self.tokens[clause].pos in ("VERB", "ADJ"):
            if self.tokens[clause].pos == "ADJ":
                self.quality(clause, node)
                return
            active = (
                self.is_participle(clause, "ing")
                or self.has(clause, "nsubj")
                or not self.is_passive(clause, True)
            )
            self.clause_below(clause, (node, "subj" if active else "obj"))
            return
        top = self.clause_below(clause, None)
        place = self.place(noun, clause)
        role = (
            self.frames.roles.get(graph.concepts[node], {}).get(place)
            if self.is_frame(node)
            else None
        )
        if role is None and mark is not None:
            if self.is_frame(node):
                role = "ARG1"
            else:
                role = (
                    "purpose"
                    if self.lower[mark] == "to"
                    else "topic"
                    if self.lower[mark] == "that"
                    else "mod"
                )
        graph.edge(node, role or "mod", top)

    def clause_below(self, clause: int, gap: Gap | None) -> int:
        """A clause and what is coordinated with it, all about the same noun."""
        if self.depth >= DEEPEST:
            return self.node(clause)
        if self.tokens[clause].pos == "VERB" or self.is_predicate(clause):
            top = self.clause(clause, gap)
        else:
            self.used.discard(clause)
            self.depth += 1
            top = self.single(clause)
            self.depth -= 1
            if gap is not None:
                self.graph.edge(gap[0], "mod", self.core[clause])
        for c in self.below(clause, "conj"):
            if (
                gap is not None
                and self.tokens[c].pos == "VERB"
                and not self.has(c, "nsubj")
                and c not in self.top
            ):
                self.used.add(c)
                self.clause_below(c, gap)
        self.top[clause] = top = self.coordinated(clause, top)
        return top
