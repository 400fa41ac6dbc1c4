"""Phrases and clauses of a dependency tree: prepositions, predicates, voice, shared arguments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from hybridsem.english import words
from hybridsem.structures import DependencyTree, Filler

OBLIQUES = frozenset({"obl", "nmod", "nummod"})
FUNCTION_RELATIONS = frozenset({"aux", "case", "cc", "cop", "det", "expl", "mark", "punct"})

_FUNCTION_POS = frozenset(
    {"DET", "ADP", "AUX", "CCONJ", "SCONJ", "PART", "PUNCT", "PRON", "INTJ", "X", "SYM"}
)
_NO_CONTENT = words.FOCUS_ADVERBS | words.NEGATORS | words.NEAR_NEGATORS
_NO_CONTENT |= words.SUBORDINATING_ADVERBS
_NO_AGENTS = words.MEANS | words.MEASURES | words.MONEY


class Phrases:
    """A tree and questions about its words and phrases. ``lower`` and ``lemma`` are the words'
    forms and lemmas in lower case, ``relation`` their relations and ``base`` their relations
    without subtype.
    """

    def __init__(self, tree: DependencyTree) -> None:
        self.tree = tree
        self.tokens = tokens = tree.tokens
        self.children = tree.below.__getitem__
        self.lower = [token.text.lower() for token in tokens]
        self.lemma = [
            low if token.lemma in ("", "_") else token.lemma.lower()
            for token, low in zip(tokens, self.lower, strict=True)
        ]
        self.pos = [token.pos for token in tokens]
        self.heads = [token.head for token in tokens]
        self.relation = [token.relation for token in tokens]
        self.base = list(map(base_of, self.relation))
        self._is_content = [
            token.pos not in _FUNCTION_POS and low not in _NO_CONTENT
            for token, low in zip(tokens, self.lower, strict=True)
        ]
        self._particles = {i for i, name in enumerate(self.relation) if name == "compound:prt"}
        self._subtrees: dict[int, tuple[int, ...]] = {}

    def below(self, i: int, *bases: str) -> list[int]:
        """Return the dependents of ``i`` with one of these relations, in any subtype."""
        return [c for c in self.children(i) if self.base[c] in bases]

    def subtree(self, i: int) -> tuple[int, ...]:
        """Return ``i`` and its descendants, in order."""
        if not self.children(i):
            return (i,)
        if i not in self._subtrees:
            descendants = [i]
            for word in descendants:  # grows in the loop
                descendants += self.children(word)
            self._subtrees[i] = tuple(sorted(descendants))
        return self._subtrees[i]

    def without(self, tokens: Sequence[int], clause: int) -> Sequence[int]:
        """Return ``tokens`` without the subtree of a clause inside them."""
        if clause not in tokens:
            return tokens
        inside = set(self.subtree(clause))
        return [t for t in tokens if t not in inside]

    def head_of(self, tokens: Sequence[int], head: int = -1) -> int:
        """Return ``head`` if among ``tokens``, else the first whose governor is not."""
        if head in tokens:
            return head
        inside = set(tokens)
        return next((t for t in tokens if self.heads[t] not in inside), tokens[0])

    def content(self, tokens: Iterable[int]) -> list[int]:
        """Return the content words among ``tokens``."""
        return [*filter(self._is_content.__getitem__, tokens)]

    def filler(self, tokens: Sequence[int], head: int) -> Filler:
        """Return a filler of ``tokens`` with its content words and particles, or all its words."""
        ordered = sorted(set(tokens))
        while len(ordered) > 1 and self.pos[ordered[0]] == "PUNCT":
            del ordered[0]
        while len(ordered) > 1 and self.pos[ordered[-1]] == "PUNCT":
            del ordered[-1]
        chosen = self.content(ordered)
        if chosen and self._particles and not self._particles.isdisjoint(ordered):
            chosen = sorted({*chosen, *self._particles.intersection(ordered)})
        elif not chosen:
            light = ("PUNCT", "ADP", "DET", "PART")
            chosen = [t for t in ordered if self.pos[t] not in light] or ordered
        words = tuple(map(self.lower.__getitem__, chosen))
        first, last = ordered[0], ordered[-1]
        if last - first == len(ordered) - 1:  # usual: all in a row
            text = self.tree.text[self.tokens[first].start : self.tokens[last].end]
        else:
            text = self.tree.phrase(ordered)
        return Filler(text, words, tuple(ordered), head, tuple(chosen))

    def particle(self, verb: int) -> str:
        """Return the particle of a verb, or "": "gave up"."""
        return next((self.lower[c] for c in self.children(verb) if c in self._particles), "")

    def preposition(self, i: int) -> str:
        """Return the preposition of the phrase of ``i``, of one or two words ("out of"), or ""."""
        cases = [c for c in self.below(i, "case") if self.lower[c] not in ("'s", "’s", "'")]
        if not cases:
            return ""
        first = self.lower[cases[0]]
        if rest := self.below(cases[0], "fixed") or cases[1:]:
            both = f"{first} {self.lower[rest[0]]}"
            if both in words.COMPOUND_PREPOSITIONS:
                return both
        return words.VARIANTS.get(first, first)

    def is_time(self, i: int, preposition: str) -> bool:
        """Test if the phrase of ``i``, with ``preposition`` or "", is a time."""
        word, pos = self.lower[i], self.pos[i]
        if word in words.AMBIGUOUS_TIMES:
            return pos == "PROPN" and not self.below(i, "det")
        if self.lemma[i] in words.TIME_NOUNS or word in words.TIME_NOUNS:
            return pos == "NOUN" or word not in ("second", "past", "present")
        if self.relation[i] == "obl:tmod" or pos != "NUM":
            return self.relation[i] == "obl:tmod"
        year = len(word) == 4 and word[:2] in ("17", "18", "19", "20")
        before_years = year and preposition in ("in", "since", "by", "until", "from")
        return before_years or preposition in ("at", "on", "around")

    def is_by_agent(self, i: int) -> bool:
        """Test if ``i`` may be the by-phrase of a passive's agent, not a time, means or measure."""
        if self.preposition(i) != "by" or self.is_time(i, "by"):
            return False
        return self.lemma[i] not in _NO_AGENTS


@cache
def base_of(relation: str) -> str:
    """Return a relation without its subtype: "obl" for "obl:agent"."""
    return relation.partition(":")[0]


SUBJECTS = frozenset({"nsubj", "csubj"})
CLAUSES = frozenset({"acl", "advcl", "ccomp", "conj", "csubj", "parataxis", "xcomp"})
INFINITIVES = frozenset({"advcl", "ccomp", "xcomp"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
_FULL_CLAUSE = frozenset({"aux", "cc", "cop", "csubj", "mark", "nsubj"})
_BESIDE_NOUN = frozenset(
    {"advcl", "advmod", "aux", "cc", "ccomp", "cop", "csubj", "expl", "mark", "nsubj", "punct"}
)
_CATENATIVE = words.SEMI_MODALS | words.ASPECTUAL_VERBS


class Clauses(Phrases):
    """A tree and questions about its clauses."""

    def __init__(self, tree: DependencyTree) -> None:
        super().__init__(tree)
        self.root_nouns: list[int] = []
        """The root and its conjuncts, if they are nouns."""
        self.promoted: int | None = None
        """The verb that replaces a noun as root: "chasing" in "a dog chasing a ball"."""
        self.reported: int | None = None
        """The verb after a name and a colon: "storm" in "Egypt: protesters storm embassy"."""
        self._shared: dict[int, Sequence[int]] = {}
        root, tokens = tree.root, self.tokens
        if tokens[root].pos in _NOMINAL and not self.is_predicate(root):
            self.root_nouns = [root, *self.below(root, "conj")]
            clauses = (c for noun in self.root_nouns for c in self.below(noun, "acl"))
            verbs = (c for c in clauses if tokens[c].pos == "VERB")
            self.promoted = next(
                (c for c in verbs if self.modifies_subject(c) or self._is_headline(c)), None
            )
        if self.root_nouns and self.promoted is None:
            for c in self.below(root, "appos", "parataxis"):
                subject = self.relation_of(c, *SUBJECTS)
                after = self.lower[root : root if subject is None else subject]
                if c > root and tokens[c].pos == "VERB" and ":" in after:
                    self.reported = c
                    break

    def _is_headline(self, verb: int) -> bool:
        """Test for a headline about the future: "France to ban pageants"."""
        noun = self.heads[verb]
        named = self.pos[noun] == "PROPN" or self.lemma[noun] in words.PERSONS
        return named and self.has_to(verb) and not self.has(noun, "det")

    def relation_of(self, i: int, *bases: str) -> int | None:
        """Return the first dependent of ``i`` with one of these relations, in any subtype."""
        return next((c for c in self.children(i) if self.base[c] in bases), None)

    def has(self, i: int, *bases: str) -> bool:
        """Test if ``i`` has a dependent with one of these relations, in any subtype."""
        return self.relation_of(i, *bases) is not None

    def is_predicate(self, i: int) -> bool:
        """Test if a word is a verb, or has a copula or a subject."""
        return self.pos[i] == "VERB" or self.has(i, "cop", *SUBJECTS)

    def is_relative(self, i: int) -> bool:
        """Test if a word may be a relative pronoun, with a preposition or not: "to whom"."""
        return self.lower[i] in words.RELATIVE_WORDS and all(
            self.base[c] == "case" for c in self.children(i)
        )

    def copula(self, i: int) -> int | None:
        """Return the copula of ``i``; in a question parsers may attach it to the subject."""
        found = self.relation_of(i, "cop")
        if found is None and self.pos[i] not in ("VERB", "AUX"):
            subject = self.relation_of(i, "nsubj")
            found = None if subject is None else self.relation_of(subject, "cop")
        return found

    def modifies_subject(self, verb: int) -> bool:
        """Test if the noun that the clause of ``verb`` modifies is its subject."""
        subject = self.relation_of(verb, *SUBJECTS)
        if subject is not None:
            return self.is_relative(subject)
        introduced = self.has(verb, "mark") or any(
            self.lower[c] in words.SUBORDINATING_ADVERBS for c in self.children(verb)
        )
        return self.heads_free_relative(verb) or (self.relation[verb] == "acl" and not introduced)

    def heads_free_relative(self, verb: int) -> bool:
        """Test for a free relative without another subject: "*what happened* annoyed me"."""
        pronoun = self.lower[self.heads[verb]]
        return self.relation[verb] == "acl:relcl" and pronoun in words.FREE_RELATIVES

    def chain(self, head: int) -> tuple[list[int], str | None]:
        """Return the predicates from ``head`` down to the content verb, and their modality."""
        chain, modality = [head], None
        while True:
            link = chain[-1]
            for c in self.below(link, "aux"):
                modality = modality or words.MODALS.get(self.lemma[c])
            lemma = self.lemma[link]
            if lemma == "be" and self.is_existential(link):
                inner = self.existing(link)
                if inner is None:
                    return chain, modality
                chain.append(inner)
                continue
            below = self.below(link, "xcomp") if lemma in _CATENATIVE else ()
            inner = next(filter(self.is_predicate, below), None)
            if inner is None or self.has(link, "obj"):
                return chain, modality
            if lemma in words.SEMI_MODALS:
                # "go swimming" is not "going to swim".
                if self.relation_of(inner, "mark") is None and lemma == "go":
                    return chain, modality
                modality = modality or {"gon": "go", "get": "have"}.get(lemma, lemma)
            chain.append(inner)

    def is_existential(self, i: int) -> bool:
        """Test if a predicate has an existential "there"."""
        return "there" in self.lower and any(
            self.lower[c] == "there" for c in self.below(i, "expl")
        )

    def is_cleft(self, clause: int) -> bool:
        """Test for the relative clause of a cleft: "it was Ann *who left*"."""
        noun = self.heads[clause]
        if noun < 0 or self.relation[clause] not in ("acl:relcl", "advcl:relcl"):
            return False
        subject = self.relation_of(noun, "expl", "nsubj")
        return subject is not None and self.lower[subject] == "it" and self.has(noun, "cop")

    def existing(self, be: int) -> int | None:
        """Return the action of an existential: "chasing" in "there is a dog chasing a ball"."""
        subject = self.relation_of(be, "nsubj")
        if subject is None:
            return None
        for c in self.children(subject):
            participle = self.relation[c] == "acl" and self.lower[c].endswith("ing")
            if participle and self.modifies_subject(c):
                return c
        for c in self.below(be, *CLAUSES):  # a common attachment error
            if c > subject and self.pos[c] == "VERB" and not self.has(c, *_FULL_CLAUSE):
                return c
        return None

    def verb_group(self, chain: list[int]) -> list[int]:
        """Return the words of the Verb: the predicate and preceding aspectual verbs, with "to"."""
        group = [chain[-1]]
        for link, inner in pairwise(chain):
            if self.lemma[link] in words.ASPECTUAL_VERBS:
                group += [link, *(c for c in self.below(inner, "mark") if self.lower[c] == "to")]
        return group

    def is_passive(self, verb: int, participle: bool) -> bool:
        """Test if ``verb`` is passive; a ``participle`` without auxiliary or subject may be."""
        form, relations = self.lower[verb], {self.relation[c] for c in self.children(verb)}
        if relations & {"aux:pass", "csubj:pass", "obl:agent"}:
            return True
        # Parsers may call "the butter melted" a passive.
        if "nsubj:pass" in relations:
            return self.has(verb, "aux") or self.lemma[verb] not in words.UNACCUSATIVE_VERBS
        reduced = self.base[verb] in ("acl", "advcl") and not self.heads_free_relative(verb)
        if not (participle or reduced) or self.has(verb, "aux", "nsubj", "mark", "obj"):
            return False
        # A reduced clause: "the man arrested" is passive, "the man running" is not.
        inflected = form != self.lemma[verb] or form.endswith(("ed", "en"))
        return inflected and not form.endswith(("ing", "in'", "s"))

    def stray_agent(self, verb: int, below: list[int]) -> int | None:
        """Return a passive's by-phrase that depends on a noun: "was given a book by Anna"."""
        obliques = [c for c in below if self.base[c] == "obl"]
        if any(self.relation[c] == "obl:agent" or self.is_by_agent(c) for c in obliques):
            return None
        after = (c for c in below if c > verb and self.base[c] in ("obj", "obl", "xcomp"))
        phrases = (d for c in after for d in self.below(c, "nmod", "obl"))
        return next(filter(self.is_by_agent, phrases), None)

    def has_to(self, i: int) -> bool:
        """Test if a verb is an infinitive with "to"."""
        return any(self.lower[c] == "to" for c in self.below(i, "mark"))

    def adjective_of(self, verb: int) -> int | None:
        """Return the adjective that an infinitive completes: "eager" in "eager to please"."""
        adjective = self.heads[verb]
        if adjective < 0 or adjective > verb or self.pos[adjective] != "ADJ":
            return None
        completes = self.base[verb] in INFINITIVES and self.has_to(verb)
        return adjective if completes else None

    def is_tough(self, verb: int) -> bool:
        """Test if the subject of an adjective is the object of ``verb``: "easy to please"."""
        adjective = self.adjective_of(verb)
        if adjective is None or self.lemma[adjective] not in words.TOUGH_ADJECTIVES:
            return False
        return self.has(adjective, "nsubj") and not self.has(verb, "obj", "nsubj")

    def barred(self, verb: int) -> int | None:
        """Return a word that is no argument of an infinitive: "Ann" in "promised Ann to win"."""
        above = self.heads[verb]
        if above < 0 or self.base[verb] not in ("xcomp", "advcl") or not self.has_to(verb):
            return None
        if self.lemma[above] not in words.SUBJECT_CONTROL_VERBS or not self.has(above, "nsubj"):
            return None
        found = self.relation_of(above, "obj")
        return self.relation_of(above, "iobj") if found is None else found

    def antecedent(self, clause: int) -> Sequence[int]:
        """Return the words of the noun that a relative clause modifies, without the clause."""
        noun = self.heads[clause]
        found = self.without(self.subtree(noun), clause)
        if not self.has(noun, "cop"):
            return found
        for c in self.below(noun, *_BESIDE_NOUN):  # a cleft: "it was Ann who left"
            if c != clause:
                found = self.without(found, c)
        return found

    def shared_subject(self, head: int) -> Sequence[int]:
        """Return the words of the subject that the clause of ``head`` shares with its governor."""
        passed: dict[int, None] = {}
        while head not in self._shared and head not in passed:
            passed[head] = None
            words = self._shared_here(head)
            if words is not None:
                self._shared[head] = words
            else:
                head = self.heads[head]
        found = self._shared.get(head, ())  # a cycle of governors has none
        self._shared.update(dict.fromkeys(passed, found))
        return found

    def _shared_here(self, head: int) -> Sequence[int] | None:
        """Return the words of the shared subject; None: ask the governor's governor."""
        above, base = self.heads[head], self.base[head]
        if above < 0:
            return ()
        if head == self.promoted:
            return self.without(self.subtree(self.tree.root), head)
        if base == "acl":
            return self.without(self.subtree(above), head) if self.modifies_subject(head) else ()
        completes = base == "ccomp" and self.adjective_of(head) is not None
        if self.is_tough(head) or (base not in ("conj", "advcl", "xcomp") and not completes):
            return ()
        if base == "xcomp":
            controller = self.relation_of(above, "obj") or self.relation_of(above, "iobj")
            if controller is not None and controller != self.barred(head):
                return self.without(self.subtree(controller), head)
        subject = self.relation_of(above, *SUBJECTS)
        return None if subject is None else self.without(self.subtree(subject), head)

    def shared_object(self, verb: int) -> Sequence[int]:
        """Return the words of an object that follows a coordinated verb: "washed and ate it"."""
        above = self.heads[verb]
        shared = None if above < 0 or self.base[verb] != "conj" else self.relation_of(above, "obj")
        if shared is None or shared < verb:
            return ()
        return self.without(self.subtree(shared), verb)
