"""VerbNet-style roles from a dependency tree (UD labels as in English EWT).

    The vase was not   knocked over   by the cat   in the kitchen
    Patient    (neg.)  Verb           Agent        Location            predicate "knock over", voice passive

The main frame is that of the root. Between them its fillers hold every content word of the
sentence, a subordinate clause standing in one role as a whole (its words too), except for
coordinated clauses, parataxis and asides. Each clause also has a frame of its own, after the main
one and in the order of the text; it has the subject that it shares with another clause, as in "She
came and saw". What is looked up about words is in ``_role_tables.py``.

Where a labeller has read the tree (``tree.predicates``), its roles replace and complete those of
the tables (``_semantics.py``), and nouns and adjectives that it calls predicates have frames too,
after all others.

Conventions, as in the hand-repaired parses of Fodor, De Deyne & Suzuki 2024:

* A filler's text is the phrase as written, with its preposition; its words are the content words,
  lower case.
* Recipients are Patients ("give *Anna* a book" = "give a book *to Anna*"). A copula is the Verb,
  its subject the Patient and what is said of it the Theme, or the Location or Time ("is in Rome").
  In "there is" what exists is the Theme, but "there is a dog barking" is read as "a dog is
  barking".
* Auxiliaries, negation and what only colours the predicate ("has to", "is able to") are in no
  filler: they are the frame's ``negated``, ``modality`` and ``voice``. "started to run" is one
  Verb.
* Without a verb, the root's phrase is the Verb; but "a man playing chess" is read as "a man plays
  chess", "France to ban shows" as "France bans shows", and after a name and a colon what is said
  comes first ("Egypt: bomb kills ten").
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridsem.english.words import COPULAR_VERBS, FOCUS_ADVERBS, NEGATORS, UNACCUSATIVE_VERBS
from hybridsem.parsers.base import OverTrees
from hybridsem.parsers.trees.clauses import CLAUSES, SUBJECTS, Clauses
from hybridsem.parsers.trees.phrases import OBLIQUES
from hybridsem.parsers.verbnet import tables
from hybridsem.parsers.verbnet.adjuncts import (
    adverb_roles,
    clause_roles,
    holds_theme,
    phrase_roles,
)
from hybridsem.parsers.verbnet.labelled import Claim, Semantics
from hybridsem.structures import DependencyTree, Filler, Frame, Predicate, Role, RoleStructure

__all__ = ["VerbNetParser", "frames", "structure"]

COPULA_SUBJECT: tables.Preferences = (Role.PATIENT, Role.THEME)

_AGENT: tables.Preferences = (Role.AGENT, Role.PATIENT, Role.THEME)
_PATIENT: tables.Preferences = (Role.PATIENT, Role.THEME)
_THEME: tables.Preferences = (Role.THEME, Role.PATIENT)
_COMPLEMENT: tables.Preferences = (Role.THEME, Role.PATIENT, Role.MANNER)
_MANNER: tables.Preferences = (Role.MANNER,)

_SILENT = frozenset({"aux", "case", "cc", "cop", "det", "expl", "mark", "punct"})
_INSIDE_VERB = frozenset({"compound", "fixed", "flat", "goeswith"})
# Dependents of a predicate that stand beside it: they are frames of their own where they have
# content.
_ASIDE = frozenset(
    {"appos", "conj", "dep", "discourse", "dislocated", "list", "orphan", "parataxis", "reparandum"}
)
# The order in which dependents choose their roles, by relation; within one, that of the text.
_RANKS = {
    "nsubj": 0,
    "csubj": 1,
    "iobj": 2,
    "obj": 3,
    "xcomp": 4,
    "ccomp": 5,
    "advmod": 7,
    "advcl": 8,
    "vocative": 9,
}
_OBLIQUE_RANK = 6


class VerbNetParser(OverTrees):
    """Sentences to VerbNet-style roles, by way of a tree parser."""

    def structure(self, tree: DependencyTree) -> RoleStructure:
        """As the function of that name."""
        return structure(tree)


def structure(tree: DependencyTree, text: str | None = None) -> RoleStructure:
    """The roles of ``tree`` as a structure of ``text`` (the tree's own text unless given)."""
    return RoleStructure(
        tree.text if text is None else text, frames(tree), tree=tree, truncated=tree.truncated
    )


def frames(tree: DependencyTree) -> tuple[Frame, ...]:
    """The frames of ``tree``, the main predicate's first; at least one for any tree with a word."""
    return _Reader(tree).read()


class _Reader(Clauses):
    """Reads the frames of one tree; mutable, used once."""

    def __init__(self, tree: DependencyTree) -> None:
        super().__init__(tree)
        self.used: set[int] = set()  # heads that have a frame, or are part of one's verb
        self.asides: set[int] = set()
        self.complements: set[int] = set()  # what copulas say of their subjects
        self.semantics = Semantics(self)

    def read(self) -> tuple[Frame, ...]:
        found = [self.frame(self.main())]
        while True:
            heads = [i for i in range(len(self.tokens)) if i not in self.used and self.has_frame(i)]
            if not heads:
                others = self.semantics.others(self.used - self.complements)
                return (*found, *map(self.semantic_frame, others))
            for i in heads:
                if i not in self.used:
                    found.append(self.frame(i))

    def has_frame(self, i: int) -> bool:
        return i in self.asides or (self.base[i] in CLAUSES and self.is_predicate(i))

    def main(self) -> int:
        """The root, or the verb of a noun phrase that stands for a sentence ("a dog chasing a
        ball").
        """
        if self.promoted is not None:
            self.used.update(self.root_nouns)
            return self.promoted
        if self.reported is not None:
            self.asides.add(self.tree.root)
            return self.reported
        return self.tree.root

    def frame(self, head: int) -> Frame:
        """The frame of the predicate ``head`` (of the verb it leads to, for "has to go")."""
        chain, modality = self.chain(head)
        self.used.update(chain)
        verb = chain[-1]
        below = [
            c
            for link in chain
            for c in self.children(link)
            if c not in chain and c != self.reported
        ]
        below += [d for c in below if self.base[c] in ("aux", "cop") for d in self.children(c)]
        copula = self.copula(verb)
        if copula is None and (self.tokens[verb].pos in ("VERB", "AUX") or self.has(verb, "aux")):
            predicate, voice, claims = self.verbal(verb, chain, below)
        else:
            predicate, voice, claims = self.nominal(chain, copula, below)
        if len(chain) > 1:  # in "there is a dog barking" the verb is inside its subject
            claims = [
                claim if claim[1] == verb else (*claim[:3], self.without(claim[3], verb))
                for claim in claims
            ]
        if copula is not None:
            self.used.add(copula)
            self.complements.add(verb)
        negated, found = (
            self.is_negated(below, claims),
            self.semantics.of(verb if copula is None else copula),
        )
        if copula is None and not self.is_copular(verb, below):
            claims = self.semantics.refined(claims, found)
        roleset, arguments = (None, ()) if found is None else (found.roleset, found.arguments)
        return Frame(predicate, self.assign(claims), negated, modality, voice, roleset, arguments)

    def semantic_frame(self, predicate: Predicate) -> Frame:
        """The frame of a noun or adjective that only the labeller calls a predicate."""
        head = predicate.index
        claims = [
            (rank, h, roles, self.without(tokens, head))
            for rank, h, roles, tokens in self.semantics.refined([], predicate)
        ]
        claims.append((-1, head, (Role.VERB,), (head,)))
        negated = any(argument.label == "ARGM-NEG" for argument in predicate.arguments)
        fillers = self.assign(claims)
        return Frame(
            self.lemma[head],
            fillers,
            negated,
            roleset=predicate.roleset,
            arguments=predicate.arguments,
        )

    def is_copular(self, verb: int, below: list[int]) -> bool:
        """Whether a verb says what its subject is: "it is", "it seems fine"."""
        lemma, bases = self.lemma[verb], {self.base[c] for c in below}
        return (
            lemma in COPULAR_VERBS
            and not bases & {"obj", "iobj"}
            and ("xcomp" in bases or lemma == "be")
        )

    def verbal(self, verb: int, chain: list[int], below: list[int]) -> tuple[str, str, list[Claim]]:
        lemma = self.lemma[verb]
        passive = self.is_passive(verb, verb != chain[0] and self.is_existential(chain[0]))
        bases = {self.base[c] for c in below}
        there = self.is_existential(chain[0]) and (verb == chain[0] or lemma == "be")
        complement = bool(bases & {"xcomp", "ccomp"})
        transitive = bool(bases & {"obj", "iobj", "ccomp", "xcomp"})
        moved = any(self.base[c] == "obl" and holds_theme(self, c, lemma) for c in below)
        affected = (
            _PATIENT
            if complement or moved or "iobj" in bases or lemma in tables.PATIENT_OBJECT
            else _THEME
        )
        if passive:
            subject = _PATIENT if "obj" in bases else affected
        elif there:
            subject = _THEME
        elif self.is_copular(verb, below):
            subject = COPULA_SUBJECT
        elif not transitive and lemma in UNACCUSATIVE_VERBS and not self.has_object_outside(verb):
            subject = _PATIENT
        else:
            subject = _AGENT

        verb_tokens, particles, noun = self.verb_group(chain), [], []
        claims: list[Claim] = []
        objects = [c for c in below if self.base[c] == "obj"]
        dative = (
            "iobj" in bases or len(objects) > 1
        )  # "gave the boy a book": parsers may call both objects
        stray = self.stray_agent(verb, below) if passive else None
        subjects = sum(self.base[c] == "nsubj" for c in below)
        for c in below:
            base, relation = self.base[c], self.relation[c]
            if relation == "compound:prt":
                particles.append(c)
                verb_tokens.append(c)
            elif base in _INSIDE_VERB:
                verb_tokens += self.subtree(c)
            elif base == "nsubj" and subjects > 1 and self.is_relative(c):
                continue  # "a dog that barks", where both are called subjects
            elif base == "nsubj" or base == "csubj":
                self.claim(claims, c, subject)
            elif base == "iobj" or (
                base == "obj" and dative and "iobj" not in bases and c == objects[0]
            ):
                self.claim(claims, c, _PATIENT)
            elif base == "obj" and self.semantics.light.get(verb) == c:
                noun.append(c)
                verb_tokens.append(c)
                for d in self.children(c):
                    self.of_light_verb(claims, d, lemma)
            elif base == "obj":
                self.claim(claims, c, _THEME if dative else affected)
            elif base in ("ccomp", "xcomp"):
                self.claim(claims, c, _COMPLEMENT)
            elif base in OBLIQUES:
                agent = passive and (relation == "obl:agent" or self.is_by_agent(c))
                self.claim(
                    claims,
                    c,
                    _AGENT if agent else phrase_roles(self, c, lemma),
                    0 if agent else _OBLIQUE_RANK,
                )
            elif base == "vocative":
                self.claim(claims, c, _AGENT if not bases & SUBJECTS else _PATIENT)
            else:
                self.other(claims, c, base)
        if not bases & SUBJECTS:
            shared = self.shared_subject(chain[0])
            if shared:
                claims.append((0, -1, subject, shared))
        if "obj" not in bases and self.base[chain[0]] == "conj" and lemma not in UNACCUSATIVE_VERBS:
            shared = self.shared_object(verb)
            if shared:
                claims.append((_RANKS["obj"], -1, affected, shared))
        if stray is not None:
            claims = [(*claim[:3], self.without(claim[3], stray)) for claim in claims]
            claims.append((0, stray, _AGENT, self.subtree(stray)))
        claims.append((-1, verb, (Role.VERB,), sorted(verb_tokens)))
        named = [lemma, *(self.lower[p] for p in particles), *(self.lemma[n] for n in noun)]
        return " ".join(named), "passive" if passive else "active", claims

    def of_light_verb(self, claims: list[Claim], c: int, lemma: str) -> None:
        """What depends on the noun of a light verb stands beside the verb: "a *long* walk *in the
        park*".
        """
        if self.base[c] in OBLIQUES:
            self.claim(claims, c, phrase_roles(self, c, lemma))
        elif self.base[c] not in _SILENT and self.content(self.subtree(c)):
            self.claim(claims, c, _MANNER)

    def nominal(
        self, chain: list[int], copula: int | None, below: list[int]
    ) -> tuple[str, str, list[Claim]]:
        """The frame of a noun, adjective, adverb or prepositional phrase, with or without a
        copula.
        """
        head = chain[-1]
        claims: list[Claim] = []
        phrase = [head]
        has_subject = any(self.base[c] in SUBJECTS for c in below)
        extraposed = any(self.base[c] == "expl" for c in below)
        for c in below:
            base = self.base[c]
            if base in SUBJECTS or (extraposed and base == "ccomp"):
                self.claim(claims, c, COPULA_SUBJECT, 0)
            elif base in ("case", "det") or (base == "conj" and not self.is_predicate(c)):
                phrase += self.subtree(c)
            elif base in ("nmod", "obl", "advmod") and self.tokens[c].pos != "ADJ":
                place = (
                    tables.ADVERBS.get(self.lower[c])
                    if base == "advmod"
                    else phrase_roles(self, c, "be")
                )
                apart = (
                    (Role.TIME,)
                    if copula is not None or has_subject
                    else (Role.TIME, Role.LOCATION)
                )
                prepositional = base != "nmod" or self.relation_of(c, "case") is not None
                if (
                    place
                    and place[0] in apart
                    and prepositional
                    and self.relation[c] != "nmod:poss"
                ):
                    self.claim(claims, c, place, _OBLIQUE_RANK)
                elif self.lower[c] not in NEGATORS:
                    phrase += self.subtree(c)
            elif (
                base in _SILENT
                or base in ("advcl", "vocative")
                or (base in _ASIDE and base != "appos")
            ):
                self.other(claims, c, base)
            else:
                phrase += self.subtree(c)
        if not has_subject:
            shared = self.shared_subject(chain[0])
            if shared:
                claims.append((0, -1, COPULA_SUBJECT, shared))
        phrase.sort()
        if copula is not None:
            claims = [(*claim[:3], self.without(claim[3], copula)) for claim in claims]
        if copula is None:
            claims.append((-1, head, (Role.VERB,), phrase))
            return self.lemma[head], "active", claims
        group = [copula if link == head else link for link in self.verb_group(chain)]
        claims.append((-1, copula, (Role.VERB,), sorted(group)))
        claims.append((_OBLIQUE_RANK, head, self.predicative(head), phrase))
        return self.lemma[copula], "active", claims

    def predicative(self, head: int) -> tables.Preferences:
        """The role of what a copula says of its subject."""
        if self.relation_of(head, "case") is not None or self.tokens[head].pos == "ADV":
            roles = (
                phrase_roles(self, head, "be")
                if self.tokens[head].pos != "ADV"
                else tables.ADVERBS.get(self.lower[head])
            )
            if roles and roles[0] in (Role.LOCATION, Role.TIME):
                return roles
        return _COMPLEMENT

    def other(self, claims: list[Claim], c: int, base: str) -> None:
        """What a dependent is that predicates of every kind may have."""
        if base == "advmod":
            word = self.lower[c]
            if word not in NEGATORS and (
                word not in FOCUS_ADVERBS or self.content(self.subtree(c))
            ):
                self.claim(claims, c, adverb_roles(self, c))
            else:
                self.rest(claims, c)
        elif base == "advcl":
            self.claim(claims, c, clause_roles(self, c))
        elif base in _SILENT:
            if base in ("aux", "cop"):
                return  # what hangs from them has been taken as the predicate's
            self.rest(claims, c)
        elif base == "vocative":
            self.claim(claims, c, _AGENT)
        elif base in _ASIDE or self.is_predicate(c):
            if self.content(self.subtree(c)):
                self.asides.add(c)
        elif self.content(self.subtree(c)):
            self.claim(claims, c, _MANNER)

    def rest(self, claims: list[Claim], c: int) -> None:
        """What hangs from a word that is in no filler: "two days" in "two days after he left"."""
        below = self.subtree(c)
        content = self.content(below) if len(below) > 1 else ()
        if content:
            claims.append((_RANKS["advmod"], c, _MANNER, content))

    def claim(
        self, claims: list[Claim], c: int, roles: tables.Preferences, rank: int | None = None
    ) -> None:
        """Put ``c`` and what is below it up for one of ``roles``; a relative pronoun stands for its
        antecedent.
        """
        rank = _RANKS.get(self.base[c], _OBLIQUE_RANK) if rank is None else rank
        tokens: Sequence[int] = self.subtree(c)
        if self.is_relative(c):
            clause = self.tokens[c].head
            if clause >= 0 and self.relation[clause] == "acl:relcl":
                c = self.tree.root if clause == self.promoted else self.tokens[clause].head
                tokens = self.without(self.subtree(c), clause)
        claims.append((rank, c, roles, tokens))

    def assign(self, claims: list[Claim]) -> dict[str, Filler]:
        """Each claim gets the first of its roles that is free, or shares the last."""
        taken: dict[str, list[int]] = {}
        heads: dict[str, int] = {}
        used: set[int] = set()
        for _rank, head, roles, tokens in sorted(claims, key=_by_rank):
            if not used.isdisjoint(tokens):
                tokens = [t for t in tokens if t not in used]
            if not tokens:  # all of it has gone elsewhere
                continue
            used.update(tokens)
            role = next((r for r in roles if r not in taken), roles[-1])
            taken.setdefault(role, []).extend(tokens)
            heads.setdefault(role, head if head in tokens else self.head_of(tokens))
        return {role: self.filler(taken[role], heads[role]) for role in Role if role in taken}

    def is_negated(self, below: list[int], claims: list[Claim]) -> bool:
        """Whether a predicate is denied: by a word beside it, by "no" or "neither" before what it
        is about.
        """
        if any(self.lower[c] in NEGATORS and self.denies(c) for c in below):
            return True
        about = [head for rank, head, *_ in claims if 0 <= rank <= _RANKS["obj"] and head >= 0]
        about += [c for c in below if self.lower[c] in ("longer", "more")]  # "he no longer smokes"
        return any(
            self.lower[d] in ("no", "neither") and self.base[d] in ("advmod", "cc", "det")
            for head in about
            for d in self.children(head)
        )

    def denies(self, c: int) -> bool:
        """Not so in "No, he came" and in "he said no"."""
        return (
            self.base[c] in ("advmod", "det")
            if self.lower[c] == "no"
            else self.base[c] != "discourse"
        )


def _by_rank(claim: Claim) -> tuple[int, int]:
    return claim[0], claim[1]
