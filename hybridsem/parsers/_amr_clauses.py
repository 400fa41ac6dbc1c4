"""Clauses as AMR: predicates with their arguments, modality, negation, questions, and how clauses hang together."""

from __future__ import annotations

from hybridsem.parsers import _amr_tables as amr
from hybridsem.parsers import _role_tables as tables
from hybridsem.parsers._amr_frames import Frames
from hybridsem.parsers._amr_nouns import Nouns
from hybridsem.parsers._amr_words import UNKNOWN
from hybridsem.structures import DependencyTree

__all__ = ["Sentence"]

DEEPEST = 40  # clauses and phrases within each other; what is deeper has its word and no more
PLACED = frozenset({"nsubj", "csubj", "obj", "iobj", "ccomp", "xcomp"})
SILENT = frozenset(
    {"punct", "cc", "conj", "cop", "case", "mark", "aux", "expl", "det", "fixed", "goeswith", "dislocated"}
)


class Sentence(Nouns):
    """Builds the graph of a whole sentence; mutable, used once."""

    def __init__(self, tree: DependencyTree, frames: Frames) -> None:
        super().__init__(tree, frames)
        self.used: set[int] = set()
        self.depth = 0
        self.skipped = -1  # a clause inside a noun phrase that is read apart from it

    def read(self) -> int:
        """Build everything; returns the root's node."""
        root = self.tree.root
        top = self.node(root)
        asides = [c for c in self.children(root) if self.base[c] in ("parataxis", "list") and c not in self.used]
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
        top = self.opening(root, top)
        return self.question(root, top)

    def saying(self, c: int) -> bool:
        """Whether an aside says who says the rest: "…, he said"."""
        return self.lemma[c] in amr.SPEECH and self.has(c, "nsubj") and not self.below(c, "obj", "ccomp")

    def is_content(self, c: int) -> bool:
        return any(self.tokens[t].pos not in ("PUNCT", "SYM") for t in self.subtree(c))

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
        last = next((t.text for t in reversed(self.tokens) if t.text not in ('"', "'", "''", "”", "’", ")")), "")
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

    # --- phrases ------------------------------------------------------------------------------------------------------

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
        roles = ("ARG1", "ARG2") if concept == "contrast-01" else tuple(f"op{n}" for n in range(1, len(others) + 2))
        self.graph.edge(above, roles[0], first)
        for role, c in zip(roles[1:], others, strict=True):
            self.graph.edge(above, role, self.node(c))
        return above

    # --- clauses ------------------------------------------------------------------------------------------------------

    def clause(self, i: int, gap: tuple[int, str] | None = None, subject: int | None = None) -> int:
        """The node of a clause.

        ``gap`` is the node and the place of the noun that the clause modifies; ``subject`` the node of a subject that
        stands elsewhere.
        """
        below = list(self.children(i))
        inner = self.content_verb(i)
        if inner is not None:
            return self.coloured(i, inner, gap, subject)
        if self.is_existential(i):
            found = self.existential(i, below)
            if found is not None:
                return found
        copula = next((c for c in below if self.base[c] == "cop"), None) if self.tokens[i].pos != "VERB" else None
        verbal = self.tokens[i].pos in ("VERB", "AUX") and copula is None
        passive = verbal and self.is_passive(i, False)
        if gap is not None and gap[1] == "obj" and not self.has(i, "nsubj"):
            passive = True
        if verbal:
            core = self.graph.node(self.verb_concept(i, passive))
            self.core[i] = self.top[i] = core
        else:
            core = -1
        subjects = self.below(i, "nsubj", "csubj")
        given: int | None = subject
        if subjects:
            given = self.node(subjects[0])
        elif gap is not None and gap[1] in ("subj", "obj") and not (gap[1] == "obj" and not passive):
            given = gap[0]
        elif given is None:
            word = self.subject_of(i)
            given = self.top.get(word, self.core.get(word)) if word is not None else None
        if not verbal:
            return self.predicative(i, below, given)
        if given is None and self.is_imperative(i):
            given = self.shared.setdefault("you", self.graph.node("you"))
            self.graph.value(core, "mode", "imperative")
        if given is not None:
            place = self.subject_place(i, subjects, passive)
            self.graph.edge(core, self.argument(core, place, "ARG0"), given)
        if gap is not None and gap[1] == "obj" and not passive:
            self.graph.edge(core, self.argument(core, "obj", "ARG1"), gap[0])
        for c in below:
            if c not in subjects:
                self.verb_dependent(c, i, core, passive)
        return self.modal(i, below, core)

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

    def coloured(self, i: int, inner: int, gap: tuple[int, str] | None, subject: int | None) -> int:
        """``has to go`` as an obligation to go, ``is going to rain`` as raining."""
        words = self.below(i, "nsubj", "csubj")
        given = self.node(words[0]) if words else subject
        if given is None and gap is not None:
            given, gap = gap[0], None
        if given is None:
            word = self.subject_of(i)
            given = self.top.get(word) if word is not None else None
        self.used.add(inner)
        top = self.clause(inner, gap, given)
        core = self.core.get(inner, top)
        self.top[inner] = top = self.coordinated(inner, top)
        below = [c for c in self.children(i) if c != inner and c not in words]
        entry = amr.MODAL_PREDICATES.get(self.lemma[i])
        if entry is None:
            self.core[i] = core
            for c in below:
                if self.base[c] not in PLACED:
                    self.verb_dependent(c, i, core, False)
            return self.modal(i, below, core, top)
        modal = self.graph.node(entry[0])
        self.core[i] = modal
        self.graph.edge(modal, entry[1], top)
        for c in below:
            if self.base[c] not in PLACED:
                self.verb_dependent(c, i, core, False)
        return self.modal(i, below, modal)

    def modal(self, i: int, below: list[int], core: int, top: int | None = None) -> int:
        """Modality and negation above a predicate; returns the clause's node."""
        top = core if top is None else top
        negated = [c for c in below if self.is_negator(c)]
        entry = next(
            (amr.MODALS[self.lower[c]] for c in below if self.base[c] == "aux" and self.lower[c] in amr.MODALS), None
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
        if self.lower[i] != self.lemma[i] or self.base[i] not in ("root", "conj", "parataxis", "ccomp"):
            return False
        if self.base[i] == "conj":
            above = self.tokens[i].head
            return self.core.get(above) is not None and self.graph.has(self.core[above], "mode")
        if any(self.base[c] in ("mark", "expl") for c in self.children(i)):
            return False
        return not [c for c in self.below(i, "aux") if self.lemma[c] != "do"]

    # --- copulas ------------------------------------------------------------------------------------------------------

    def predicative(self, i: int, below: list[int], subject: int | None) -> int:
        """What a copula says of its subject, or the subject of a clause without a verb."""
        graph, token, preposition = self.graph, self.tokens[i], self.preposition(i)
        rest = [c for c in below if self.base[c] not in ("nsubj", "csubj", "cop")]
        if token.pos == "ADJ":
            top = self.quality(i, subject, predicated=True)
            core = self.core[i]
            self.frame_dependents(rest, i, core, preposition)
            return self.modal(i, below, core, top)
        if token.pos in ("ADV", "ADP") or self.lower[i] in ("here", "there", "where"):
            place = graph.node("be-located-at-91")
            self.core[i] = self.top[i] = place
            if subject is not None:
                graph.edge(place, "ARG1", subject)
            graph.edge(place, "ARG2", graph.node(UNKNOWN if self.is_wh(i) else self.adverb_concept(i)))
            self.frame_dependents(rest, i, place, "")
            return self.modal(i, below, place)
        if preposition and subject is not None and not self.has(i, "nmod:poss"):
            return self.placed(i, below, rest, subject, preposition)
        if self.is_wh(i) and subject is not None:
            graph.edge(subject, "domain", graph.node(UNKNOWN))
            self.core[i] = self.top[i] = subject
            self.frame_dependents(rest, i, subject, "")
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

    def placed(self, i: int, below: list[int], rest: list[int], subject: int, preposition: str) -> int:
        """``The cat is in the box.``"""
        graph = self.graph
        noun, words = self.entity(i)
        self.core[i] = self.top[i] = noun
        inside = [c for c in rest if self.base[c] in ("det", "amod", "nummod", "nmod", "compound", "acl", "flat")]
        for c in inside:
            if c not in words:
                self.dependent(c, i, noun, noun)
        if preposition in ("like", "about", "for", "of", "from", "with"):
            frame, first, second = {
                "like": ("resemble-01", "ARG1", "ARG2"),
                "about": ("concern-02", "ARG0", "ARG1"),
                "for": ("have-purpose-91", "ARG1", "ARG2"),
                "of": ("have-03", "ARG0", "ARG1"),
                "from": ("come-03", "ARG1", "ARG2"),
                "with": ("accompany-01", "ARG1", "ARG0"),
            }[preposition]
        else:
            frame, first, second = "be-located-at-91", "ARG1", "ARG2"
        if self.is_time(i, preposition):
            frame = "be-temporally-at-91"
        core = graph.node(frame)
        graph.edge(core, first, subject)
        if preposition in amr.RELATIONAL_PREPOSITIONS:
            above = graph.node(preposition.replace(" ", "-"))
            graph.edge(above, "op1", noun)
            noun = above
        graph.edge(core, second, noun)
        self.core[i] = core
        for c in rest:
            if c not in inside and c not in words:
                self.verb_dependent(c, i, core, False)
        return self.modal(i, below, core)

    def frame_dependents(self, rest: list[int], i: int, core: int, preposition: str) -> None:
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

    # --- what hangs from a predicate ----------------------------------------------------------------------------------

    def verb_dependent(self, c: int, i: int, core: int, passive: bool) -> None:
        base, graph = self.base[c], self.graph
        if c in self.used and base not in ("obj", "iobj"):
            return
        if base in SILENT or self.relation[c] == "compound:prt" or self.is_negator(c) or base in ("parataxis", "list"):
            return
        if base in ("obj", "iobj"):
            graph.edge(core, self.argument(core, base, "ARG1" if base == "obj" else "ARG2"), self.node(c))
        elif base == "ccomp":
            role = self.argument(core, "ccomp", "ARG1")
            marks = {self.lower[d] for d in self.below(c, "mark")}
            node = self.node(c)
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

    def complement(self, c: int, i: int, node: int) -> None:
        self.verb_dependent(c, i, node, False)

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

    def given_subject(self, core: int) -> int | None:
        for role in ("ARG0", "ARG1"):
            found = self.graph.target(core, role)
            if found is not None:
                return found
        return None

    def adverbial_clause(self, c: int, i: int, core: int) -> None:
        graph = self.graph
        words = [self.lower[d] for d in self.children(c) if self.base[d] in ("mark", "advmod", "case") and d < c]
        mark = next((word for word in words if word in amr.MARKS), "")
        place = self.place(i, c)
        argument = self.frames.roles.get(graph.concepts[core], {}).get(place) if place and mark != "to" else None
        self.used.update(d for d in self.children(c) if self.lower[d] == mark and self.base[d] == "advmod")
        self.used.add(c)
        subject = self.given_subject(core) if not self.has(c, "nsubj") else None
        if self.tokens[c].pos in ("VERB", "AUX") or self.is_predicate(c):
            participle = not mark and self.is_passive(c, True) and not self.has(c, "nsubj") and subject is not None
            node = self.clause(c, (subject, "obj") if participle and subject is not None else None, subject)
            node = self.top[c] = self.coordinated(c, node)
        else:
            self.used.discard(c)
            node = self.node(c)
        if argument is not None:
            graph.edge(core, argument, node)
            return
        role, _, concept = amr.MARKS.get(mark, "manner" if not words else "mod").partition("/")
        if mark == "so" and "that" not in words:
            role = "purpose"
        if concept:
            above = graph.node(concept)
            graph.edge(above, "op1", node)
            node = above
        if role == "cause":
            cause = graph.node("cause-01")
            graph.edge(cause, "ARG0", node)
            graph.edge(cause, "ARG1", core)
        else:
            if mark in ("unless", "without"):
                graph.value(node, "polarity", "-")
            graph.edge(core, role, node)

    def adverb(self, c: int, i: int, core: int) -> None:
        """An adverb beside a verb, an adjective or a noun."""
        graph, word = self.graph, self.lower[c]
        if c in self.used or self.is_negator(c) or (word in ("then",) and self.base[c] == "cc"):
            return
        if self.is_wh(c):
            self.asked(word, i, core)
            return
        self.used.add(c)
        fixed = " ".join([word, *(self.lower[d] for d in self.below(c, "fixed"))])
        if fixed in amr.FIXED_ADVERBS:
            node = self.core[c] = self.top[c] = graph.node(amr.FIXED_ADVERBS[fixed])
            graph.edge(core, "time" if fixed == "no longer" else "mod", node)
            return
        if self.tokens[c].pos in ("NOUN", "PROPN", "NUM", "VERB"):
            graph.edge(core, "time" if self.is_time(c, "") else "mod", self.node(c))
            return
        node = self.core[c] = self.top[c] = graph.node(self.adverb_concept(c))
        role = self.adverb_role(c, i)
        place = (
            self.frames.roles.get(graph.concepts[core], {}).get("adv") if role in ("location", "direction") else None
        )
        if role == "manner" and self.is_frame(node) and self.tokens[i].pos in ("VERB", "AUX"):
            graph.edge(core, "manner", node)
        else:
            graph.edge(core, place or role, node)
        for d in self.children(c):
            if self.base[d] == "advmod" and word not in ("as",):
                self.adverb(d, c, node)
            elif self.base[d] in ("obl", "nmod") and d not in self.used:
                graph.edge(node, "op1", self.node(d))
                self.used.add(d)

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
            cause = self.graph.node("cause-01")
            self.graph.edge(cause, "ARG0", unknown)
            self.graph.edge(cause, "ARG1", core)
            return
        qualified = self.tokens[i].pos in ("ADJ", "ADV")
        role = {"where": "location", "when": "time", "how": "degree" if qualified else "manner"}.get(word, "mod")
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
        role = self.frames.roles.get(graph.concepts[core], {}).get(place) if place else None
        if preposition == "with" and self.lemma[c] in amr.INSTRUMENTS:
            role = "instrument"
        if role is not None:
            graph.edge(core, role, self.wrapped(c, preposition))
            return
        if preposition in amr.RELATIONAL_PREPOSITIONS:
            graph.edge(core, amr.RELATIONAL_PREPOSITIONS[preposition], self.wrapped(c, preposition))
            return
        node = self.node(c)
        if not preposition:
            graph.edge(core, "extent" if self.lemma[c] in amr.UNITS else "manner", node)
            return
        role = amr.PREPOSITION_ROLES.get(preposition, ("mod", "mod"))[0]
        if preposition == "for" and (self.lemma[c] in amr.PEOPLE or self.tokens[c].pos in ("PRON", "PROPN")):
            role = "beneficiary"
        if self.lemma[c] in tables.MANNER_NOUNS.get(preposition, ()):
            role = "manner"
        if role == "cause":
            cause = graph.node("cause-01")
            graph.edge(cause, "ARG0", node)
            graph.edge(cause, "ARG1", core)
            return
        if preposition == "without":
            graph.value(node, "polarity", "-")
        graph.edge(core, role, node)

    def time_phrase(self, c: int, core: int, preposition: str) -> None:
        graph = self.graph
        node = self.node(c)
        if graph.concepts[node] == "temporal-quantity" and preposition in ("for", "", "during", "through", "in"):
            graph.edge(core, "duration", node)
        elif preposition in ("before", "after", "until", "till", "since"):
            above = graph.node(preposition)
            graph.edge(above, "op1", node)
            graph.edge(core, "time", above)
        elif any(self.lower[d] in ("every", "each") for d in self.below(c, "det")):
            graph.edge(core, "frequency", node)
        else:
            graph.edge(core, "time", node)

    # --- clauses beside nouns -----------------------------------------------------------------------------------------

    def modifying_clause(self, clause: int, noun: int, node: int) -> None:
        """A relative clause, a participle or an infinitive that says something about a noun."""
        if clause == self.skipped:
            return
        graph = self.graph
        self.used.add(clause)
        pronouns = [t for t in self.subtree(clause) if self.is_relative(t) and t < clause]
        relative = self.relation[clause] == "acl:relcl"
        if relative and pronouns:
            word = pronouns[0]
            self.core[word] = self.top[word] = node
            self.clause_below(clause, None)
            if self.tokens[word].head == clause and self.lower[word] == "whose":
                graph.edge(self.core[clause], "poss", node)
            return
        if relative:
            adverb = next((c for c in self.below(clause, "advmod") if self.lower[c] in ("where", "when", "why")), None)
            if adverb is not None:
                self.used.add(adverb)
                top = self.clause_below(clause, None)
                role = {"where": "location", "when": "time"}.get(self.lower[adverb])
                if role:
                    graph.edge(top, role, node)
                else:
                    graph.edge(top, "ARG1", node)
                return
            subject = self.has(clause, "nsubj")
            stranded = self.below(clause, "obl", "obj", "advmod")
            place = "obj" if subject and not self.has(clause, "obj") else "" if subject else "subj"
            top = self.clause_below(clause, (node, place) if place else None)
            if not place:
                dangling = next((self.lower[c] for c in stranded if self.tokens[c].pos == "ADP"), "")
                graph.edge(self.core[clause], self.argument(self.core[clause], dangling, "location"), node)
            return
        mark = self.relation_of(clause, "mark")
        if mark is None and self.tokens[clause].pos in ("VERB", "ADJ"):
            if self.tokens[clause].pos == "ADJ":
                self.quality(clause, node)
                return
            active = self.is_participle(clause, "ing") or self.has(clause, "nsubj") or not self.is_passive(clause, True)
            self.clause_below(clause, (node, "subj" if active else "obj"))
            return
        top = self.clause_below(clause, None)
        place = self.place(noun, clause)
        role = self.frames.roles.get(graph.concepts[node], {}).get(place) if self.is_frame(node) else None
        if role is None and mark is not None:
            if self.is_frame(node):
                role = "ARG1"
            else:
                role = "purpose" if self.lower[mark] == "to" else "topic" if self.lower[mark] == "that" else "mod"
        graph.edge(node, role or "mod", top)

    def clause_below(self, clause: int, gap: tuple[int, str] | None) -> int:
        """A clause and what is coordinated with it, all about the same noun."""
        if self.depth >= DEEPEST:
            return self.node(clause)
        self.depth += 1
        if self.tokens[clause].pos == "VERB" or self.is_predicate(clause):
            top = self.clause(clause, gap)
        else:
            self.used.discard(clause)
            top = self.single(clause)
            if gap is not None:
                self.graph.edge(gap[0], "mod", self.core[clause])
        for c in self.below(clause, "conj"):
            if gap is not None and self.tokens[c].pos == "VERB" and not self.has(c, "nsubj") and c not in self.top:
                self.used.add(c)
                self.clause_below(c, gap)
        self.top[clause] = top = self.coordinated(clause, top)
        self.depth -= 1
        return top
