"""Noun phrases as AMR: names, quantities, dates, possessors, and phrases that hang from nouns."""

from __future__ import annotations

from abc import abstractmethod

from hybridsem.parsers.amr_rules import tables as amr
from hybridsem.parsers.amr_rules.qualities import Qualities
from hybridsem.parsers.amr_rules.words import UNKNOWN

__all__ = ["Nouns"]

HYPHENATED = frozenset({"amod", "compound", "advmod", "case", "nmod", "obl", "nummod"})


class Nouns(Qualities):
    """Builds noun phrases; what is a clause it leaves to the class above."""

    @abstractmethod
    def modifying_clause(self, clause: int, noun: int, node: int) -> None:
        """A clause that says something about a noun."""

    # --- the noun itself
    # ----------------------------------------------------------------------------------------------

    def nominal(self, i: int) -> int:
        """The node of a noun, name, pronoun or number with everything that hangs from it."""
        core, name_words = self.entity(i)
        self.core[i] = self.top[i] = core
        top = core
        for c in self.children(i):
            if c not in name_words:
                top = self.dependent(c, i, core, top)
        self.top[i] = top
        return top

    def entity(self, i: int) -> tuple[int, set[int]]:
        """A node for the noun, and the words that are used up by it."""
        token, word, lemma = self.tokens[i], self.lower[i], self.lemma[i]
        graph = self.graph
        if word in amr.PRONOUNS and token.pos in ("PRON", "DET"):
            return self.pronoun(i), set()
        if self.is_wh(i):
            return graph.node(UNKNOWN), set()
        if token.pos == "PROPN" or (lemma in amr.PLANETS and token.text[0].isupper()):
            named = self.named(i)
            if named is not None:
                return named
        number = self.number(i)
        if word in ("one", "ones"):
            return graph.node("one"), set()
        if token.pos == "NUM" and number is not None:
            node = graph.node(
                "thing" if not self.is_time(i, self.preposition(i)) else "date-entity"
            )
            graph.value(node, "year" if graph.concepts[node] == "date-entity" else "quant", number)
            return node, {c for c in self.children(i) if self.tokens[c].pos == "NUM"}
        if lemma in amr.UNITS:
            counts = [c for c in self.below(i, "nummod") if self.number(c) is not None]
            if counts:
                node = graph.node(amr.UNITS[lemma])
                graph.value(node, "quant", self.number(counts[0]) or "1")
                if amr.UNITS[lemma] != "percentage-entity":
                    graph.edge(
                        node,
                        "unit",
                        graph.node({"$": "dollar", "€": "euro", "£": "pound"}.get(lemma, lemma)),
                    )
                return node, set(counts)
        joined = self.hyphenated(i)
        if joined is not None:
            return graph.node(f"{self.lower[joined]}-{lemma}"), {joined}
        if lemma in amr.DAYPARTS and self.base[i] == "obl" and not self.has(i, "amod"):
            node = graph.node("date-entity")
            graph.edge(node, "dayperiod", graph.node(lemma))
            return node, set()
        if lemma in amr.SEASONS and self.base[i] in ("obl", "nmod") and token.pos == "NOUN":
            node = graph.node("date-entity")
            graph.edge(node, "season", graph.node(lemma))
            return node, set()
        if lemma in amr.COMPOUND_AGENTS:
            frame, thing = amr.COMPOUND_AGENTS[lemma]
            person, words = self.agent(i, frame)
            graph.edge(graph.source(person, "ARG0"), "ARG1", graph.node(thing))
            return person, words
        if lemma in amr.AGENT_NOUNS and "-" in amr.AGENT_NOUNS[lemma]:
            return self.agent(i, amr.AGENT_NOUNS[lemma])
        if lemma in amr.KIN and (self.possessors(i)):
            return self.relative(i)
        return graph.node(self.noun_concept(i)), set()

    def hyphenated(self, i: int) -> int | None:
        """The first part of a word that a hyphen splits: "grown" of "grown-ups"."""
        first = i - 2
        if first < 0 or self.tokens[i - 1].text != "-" or self.tokens[first].head != i:
            return None
        alone = all(self.base[c] == "punct" for c in self.children(first))
        return first if alone and self.base[first] in HYPHENATED else None

    def possessors(self, i: int) -> list[int]:
        return [
            c
            for c in self.children(i)
            if self.relation[c] == "nmod:poss"
            or (self.base[c] == "nmod" and self.preposition(c) == "of")
        ]

    def agent(self, i: int, frame: str) -> tuple[int, set[int]]:
        """``singer`` as a person that sings; ``truck driver`` drives a truck."""
        person, action = self.graph.node("person"), self.graph.node(frame)
        self.graph.edge(action, "ARG0", person)
        used = set()
        for c in self.children(i):
            of = self.base[c] == "nmod" and self.preposition(c) == "of"
            if of or (self.base[c] == "compound" and self.tokens[c].pos == "NOUN"):
                self.graph.edge(action, "ARG1", self.node(c))
                used.add(c)
        return person, used

    def relative(self, i: int) -> tuple[int, set[int]]:
        """``my friend`` as a person in a relation to me."""
        person, role = self.graph.node("person"), self.graph.node("have-rel-role-91")
        self.core[i] = person
        self.graph.edge(role, "ARG0", person)
        owner = self.possessors(i)[0]
        self.graph.edge(role, "ARG1", self.node(owner))
        self.graph.edge(role, "ARG2", self.graph.node(self.lemma[i]))
        return person, {owner}

    def named(self, i: int) -> tuple[int, set[int]] | None:
        """A named entity, or None where a capital letter does not make a name."""
        parts = [
            c
            for c in self.children(i)
            if self.base[c] in ("flat", "compound", "nummod", "goeswith")
            and self.tokens[c].pos in ("PROPN", "NUM")
        ]
        word = self.lower[i]
        if word in amr.DISCOURSE:
            return None
        if word in amr.WEEKDAYS or (word in amr.MONTHS and self.tokens[i].text[0].isupper()):
            node = self.graph.node("date-entity")
            if word in amr.WEEKDAYS:
                self.graph.edge(node, "weekday", self.graph.node(word))
            else:
                self.graph.value(node, "month", str(amr.MONTHS[word]))
            for c in self.children(i):
                number = self.number(c) if self.tokens[c].pos == "NUM" else None
                if number is not None:
                    self.graph.value(node, "year" if len(number) == 4 else "day", number)
            return node, {c for c in self.children(i) if self.tokens[c].pos == "NUM"}
        text = self.tokens[i].text
        known = (
            word in amr.COUNTRIES
            or word in amr.CITIES
            or word in amr.PLANETS
            or word in amr.CONTINENTS
        )
        if not known and not parts and (not text[:1].isupper() or self.is_common(i)):
            return None
        if word in amr.NATIONS and self.base[i] in ("amod", "compound"):
            return self.nation(word), set()
        words = [
            self.tokens[t].text for t in sorted([i, *(t for c in parts for t in self.subtree(c))])
        ]
        node = self.graph.node(self.kind_of_name(i, [w.lower() for w in words]))
        self.graph.name(node, words)
        return node, set(parts)

    def is_common(self, i: int) -> bool:
        """Whether a capital letter is due to the start of the sentence."""
        if (
            any(self.tokens[t].pos not in ("PUNCT", "DET") for t in range(i))
            or not self.tokens[i].text[1:].islower()
        ):
            return False
        word = self.lower[i]
        modified = any(
            self.base[c] in ("det", "amod", "nummod", "acl", "nmod") for c in self.children(i)
        )
        return (
            modified
            or word in amr.PLAIN
            or word in amr.PEOPLE
            or self.frames.of(word, "NOUN") is not None
        )

    def kind_of_name(self, i: int, words: list[str]) -> str:
        last = words[-1]
        for table, kind in (
            (amr.COUNTRIES, "country"),
            (amr.CITIES, "city"),
            (amr.PLANETS, "planet"),
            (amr.CONTINENTS, "continent"),
        ):
            if last in table:
                return kind
        for word in (last, *words):
            if word in amr.NAME_TYPES:
                return amr.NAME_TYPES[word]
        if len(words) == 1 and last.isalnum() and any(c.isdigit() for c in last):
            return "protein"  # p53, CD28: what else is written so is rare
        if len(words) == 1 and len(last) > 1 and self.tokens[i].text.isupper():
            return "organization"
        return "city" if self.preposition(i) in ("in", "at", "from") else "person"

    # --- what hangs from it
    # -------------------------------------------------------------------------------------------

    def dependent(self, c: int, i: int, core: int, top: int) -> int:
        """Attach a dependent of a noun; returns the node of the phrase, which it may change."""
        base, relation, graph = self.base[c], self.relation[c], self.graph
        if base in (
            "punct",
            "case",
            "cc",
            "conj",
            "cop",
            "mark",
            "aux",
            "expl",
            "nsubj",
            "csubj",
            "goeswith",
            "fixed",
        ):
            return top
        if c in self.used and base in ("advmod", "amod"):
            return top
        if self.is_next_to(c):
            beside = self.beside(c)
            if beside is not None:
                graph.edge(core, "location", beside)
        elif base == "det":
            self.determiner(c, core)
        elif base == "nummod":
            self.count(c, core, c > i)
        elif base == "amod":
            self.quality(c, core)
        elif relation == "nmod:poss":
            self.possessor(c, i, core)
        elif base == "compound":
            self.compound(c, i, core)
        elif base in ("nmod", "obl"):
            return self.phrase(c, i, core, top)
        elif base == "acl":
            self.modifying_clause(c, i, core)
        elif base == "appos":
            self.apposition(c, core)
        elif base == "advmod":
            self.adverb(c, i, core)
        elif base == "flat":
            number = self.number(c)
            if number is None:
                graph.edge(core, "mod", self.node(c))
            else:
                graph.value(core, "mod", number)
        elif base == "discourse" or self.tokens[c].pos == "INTJ":
            self.interjection(c, core)
        elif base not in ("parataxis", "vocative", "reparandum"):
            graph.edge(core, "mod", self.node(c))
        return top

    def beside(self, c: int) -> int | None:
        """The node of "next to the lake" where the lake hangs from "next"; None where it stands
        apart or is missing.
        """
        found = next(
            (d for d in self.below(c, "obl", "nmod") if self.preposition(d) == "next to"), None
        )
        self.used.add(c)
        if found is None:
            return None
        self.core[c] = self.top[c] = node = self.wrapped(found, "next to")
        return node

    def is_next_to(self, c: int) -> bool:
        """Whether a word is the first of "next to"."""
        return self.lower[c] == "next" and c + 1 < len(self.tokens) and self.lower[c + 1] == "to"

    def interjection(self, c: int, core: int) -> None:
        node = self.graph.node(self.lemma[c])
        if self.lower[c] in amr.DISCOURSE:
            self.graph.value(node, "mode", "expressive")
        self.graph.edge(core, "mod", node)

    def determiner(self, c: int, core: int) -> None:
        word = self.lower[c]
        if word in ("a", "an", "the") or self.is_relative_word(c):
            return
        if word in ("no", "neither"):
            self.graph.value(core, "polarity", "-")
        elif word in ("what", "which", "whose"):
            self.graph.edge(core, "mod", self.graph.node(UNKNOWN))
        else:
            role = "quant" if word in ("some",) else "mod"
            self.graph.edge(core, role, self.graph.node(amr.PRONOUNS.get(word, self.lemma[c])))

    def is_relative_word(self, c: int) -> bool:
        return "Rel" in self.relation[c]

    def count(self, c: int, core: int, after: bool) -> None:
        """A number before a noun; after it, it tells which one is meant: "chapter 1"."""
        number = self.number(c)
        if number is None:
            self.graph.edge(core, "quant", self.graph.node(self.lemma[c]))
            return
        about = [
            d
            for d in self.children(c)
            if self.base[d] in ("advmod", "case") and self.lower[d] != "of"
        ]
        if about:
            node = self.graph.node(
                {"least": "at-least"}.get(self.lower[about[0]], self.lemma[about[0]])
            )
            self.graph.value(node, "op1", number)
            self.graph.edge(core, "quant", node)
        else:
            self.graph.value(core, "mod" if after else "quant", number)

    def possessor(self, c: int, i: int, core: int) -> None:
        owner = self.node(c)
        if self.is_frame(core):
            self.graph.edge(core, self.argument(core, "poss", "ARG0"), owner)
        else:
            self.graph.edge(core, "part-of" if self.lemma[i] in amr.BODY_PARTS else "poss", owner)

    def compound(self, c: int, i: int, core: int) -> None:
        if self.relation[c] == "compound:prt":
            return
        node = self.node(c)
        if self.is_frame(core):
            role = self.argument(core, "compound", "mod")
            self.graph.edge(core, role, node)
        elif self.lemma[c] in amr.MATERIALS:
            self.graph.edge(core, "consist-of", node)
        elif self.lemma[i] in amr.BODY_PARTS and self.lemma[c] not in amr.BODY_PARTS:
            self.graph.edge(core, "part-of", node)
        else:
            self.graph.edge(core, "mod", node)

    def apposition(self, c: int, core: int) -> None:
        """A second name gives the first noun its name; another noun says what it is."""
        node = self.node(c)
        name = self.graph.target(node, "name")
        if name is not None and not self.graph.has(core, "name"):
            self.graph.edge(core, "name", name)
        else:
            self.graph.edge(core, "mod", node)

    # --- prepositional phrases beside nouns
    # ---------------------------------------------------------------------------

    def phrase(self, c: int, i: int, core: int, top: int) -> int:
        """A prepositional phrase that hangs from a noun."""
        graph, preposition, lemma = self.graph, self.preposition(c), self.lemma[i]
        if preposition == "of":
            return self.of_phrase(c, i, core, top)
        place = self.place(i, c)
        role = self.frames.placed(graph.concepts[core], place) if self.is_frame(core) else None
        if preposition == "by" and self.is_frame(core) and not graph.has(core, "ARG0"):
            role = self.argument(core, "subj", "ARG0")
        if role is not None:
            graph.edge(core, role, self.wrapped(c, preposition))
        elif (preposition, self.lemma[c]) in amr.RELATIONAL_NOUNS:
            graph.edge(core, "location", self.wrapped(c, preposition))
        elif self.is_time(c, preposition):
            graph.edge(core, "time", self.wrapped(c, preposition))
        elif preposition in ("with", "without"):
            node = self.node(c)
            if (
                self.lemma[c] in amr.BODY_PARTS
                and lemma not in amr.BODY_PARTS
                and preposition == "with"
            ):
                graph.edge(core, "part", node)
            else:
                have = graph.node("have-03")
                graph.edge(have, "ARG0", core)
                graph.edge(have, "ARG1", node)
                if preposition == "without":
                    graph.value(have, "polarity", "-")
        elif preposition == "in" and self.lemma[c] in amr.CLOTHES:
            wear = graph.node("wear-01")
            graph.edge(wear, "ARG0", core)
            graph.edge(wear, "ARG1", self.node(c))
        elif preposition in amr.RELATIONAL_PREPOSITIONS:
            role = amr.RELATIONAL_PREPOSITIONS[preposition]
            graph.edge(core, role if role != "path" else "location", self.wrapped(c, preposition))
        elif preposition == "like":
            like = graph.node("resemble-01")
            graph.edge(like, "ARG1", core)
            graph.edge(like, "ARG2", self.node(c))
        else:
            role = amr.PREPOSITION_ROLES.get(preposition, ("mod", "mod"))[1]
            graph.edge(core, role if role != "cause" else "source", self.node(c))
        return top

    def wrapped(self, c: int, preposition: str) -> int:
        """The node of a phrase, below its preposition where that is a concept."""
        relation = amr.RELATIONAL_NOUNS.get((preposition, self.lemma[c]))
        inner = next((d for d in self.below(c, "nmod") if self.preposition(d) == "of"), None)
        if relation is not None and inner is not None:
            self.used.add(c)
            above = self.core[c] = self.top[c] = self.graph.node(relation)
            self.graph.edge(above, "op1", self.node(inner))
            return above
        node = self.node(c)
        return self.under(preposition, node) if preposition in amr.RELATIONAL_PREPOSITIONS else node

    def under(self, preposition: str, node: int) -> int:
        """A preposition that is a concept, above what it governs."""
        above = self.graph.node(preposition.replace(" ", "-"))
        self.graph.edge(above, "op1", node)
        return above

    def of_phrase(self, c: int, i: int, core: int, top: int) -> int:
        graph, lemma = self.graph, self.lemma[i]
        if lemma in ("kind", "sort", "type") or lemma in (
            "lot",
            "plenty",
            "deal",
            "number",
            "couple",
            "dozen",
        ):
            inner = self.node(c)
            graph.edge(inner, "mod" if lemma in ("kind", "sort", "type") else "quant", core)
            self.core[i] = inner
            return inner
        node = self.node(c)
        if self.tokens[i].pos in ("NUM", "PRON", "DET") or lemma in (
            "one",
            "some",
            "many",
            "each",
            "all",
            "most",
        ):
            include = graph.node("include-91")
            graph.edge(include, "ARG1", core)
            graph.edge(include, "ARG2", node)
        elif self.is_frame(core):
            graph.edge(core, self.argument(core, "of", "ARG1"), node)
        elif lemma in amr.COLLECTIONS:
            graph.edge(core, "consist-of", node)
        elif lemma in amr.CONTAINERS:
            contain = graph.node("contain-01")
            graph.edge(contain, "ARG0", core)
            graph.edge(contain, "ARG1", node)
        elif lemma in amr.BODY_PARTS:
            graph.edge(core, "part-of", node)
        elif lemma in amr.PICTURES:
            graph.edge(core, "topic", node)
        elif self.lemma[c] in amr.MATERIALS:
            graph.edge(core, "consist-of", node)
        else:
            graph.edge(core, "poss", node)
        return top
