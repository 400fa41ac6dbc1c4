"""The attachments of the words of a tree.

Active and passive have one form: the subject of a passive is an object. Conjuncts have the
attachments of the first of them, and the governor of a governor that is a function word is read
instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from hybridsem.comparison.sentence import Attachment
from hybridsem.english.rewrite import Rewritten
from hybridsem.parsers.trees.clauses import base_of
from hybridsem.structures import Frame, Role

PASSIVE = frozenset({"aux:pass", "nsubj:pass", "csubj:pass"})
"""Relations to a verb in the passive."""
SHARED = frozenset({"conj", "flat", "fixed", "goeswith"})
"""Relations to a word whose attachments the dependent shares."""
SYNTAX = {"nsubj": "subject", "csubj": "subject", "obj": "object", "iobj": "iobj"}
IDENTIFYING = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
"""Tags of predicates that name what the subject is."""
OBLIQUE = frozenset({"obl", "nmod"})
IDENTITY = "is"
"""The relation of a subject and its predicate noun, in either direction."""
VERB, AGENT = str(Role.VERB), str(Role.AGENT)
UNDERGOERS = frozenset({Role.PATIENT, Role.THEME})
LONGEST_CHAIN = 20


class Attachments:
    """The attachments of each word of a rewritten tree: to its governor, and to predicates by its
    roles. ``relations`` are without subtypes, ``content`` the tokens that are content words.
    """

    def __init__(
        self,
        tree: Rewritten,
        relations: Sequence[str],
        frames: Sequence[Frame],
        content: frozenset[int],
        prepositions: Sequence[str | None],
    ) -> None:
        self.tree, self.tokens, self.bare = tree, tree.tokens, relations
        self.content, self.prepositions = content, prepositions
        self.passive = frozenset([token.head for token in self.tokens if token.relation in PASSIVE])
        self.roles = self._roles(frames)
        if tree.assigned:
            self.roles |= {at: str(role) for at, role in tree.assigned.items()}
        syntax = self._correct_impossible()
        self.by_argument: defaultdict[int, list[Attachment]] = defaultdict(list)
        for subject, predicate in self._identified() if "cop" in relations else ():
            self.roles[predicate, subject] = syntax[predicate, subject] = IDENTITY
            self.by_argument[predicate].append(Attachment(subject, IDENTITY, IDENTITY))
        for (governor, argument), role in self.roles.items():
            place = Attachment(governor, role, syntax[governor, argument])
            self.by_argument[argument].append(place)

    def of(self, word: int) -> tuple[Attachment, ...]:
        """Return the attachments of a content word, that of the tree first."""
        tokens, bare = self.tokens, self.bare
        first = self._first_conjunct(word)
        governor = tokens[first].head
        for _ in range(LONGEST_CHAIN):
            if governor < 0 or governor in self.content:
                break
            governor = tokens[governor].head
        found = [*self.by_argument.get(word, ())]
        if first != word:
            found += self.by_argument.get(first, ())
        if governor >= 0 and governor not in [place.governor for place in found]:
            relation = "nmod" if bare[first] == "obl" else bare[first]
            role = self.roles.get((governor, first))
            syntax = self._syntax(governor, first, role)
            found.insert(0, Attachment(governor, role or relation, syntax))
        elif len(found) > 1:
            found.sort(key=lambda place: place.governor != governor)
        return tuple(dict.fromkeys(found)) if len(found) > 1 else tuple(found)

    def _roles(self, frames: Sequence[Frame]) -> dict[tuple[int, int], str]:
        """Map predicates and arguments, by their tokens, to roles; in a clause with a copula the
        predicate is the noun or adjective.
        """
        roles: dict[tuple[int, int], str] = {}
        for frame in frames:
            verb = frame.fillers.get(VERB)
            if verb is None or verb.head is None:
                continue
            token = self.tree.original[verb.head]
            is_copula = base_of(token.relation) == "cop" and token.head >= 0
            governor = token.head if is_copula else verb.head
            for role, filler in frame.fillers.items():
                if role != VERB and filler.head is not None:
                    place = self.tree.place(governor, filler.head)
                    if place is not None and place[0] != place[1]:
                        roles.setdefault(place, str(role))
        return roles

    def _correct_impossible(self) -> dict[tuple[int, int], str]:
        """Exchange the roles of a verb's object and subject if the object is the Agent: "the
        man the dog bit". Return the positions of all arguments.
        """
        syntax = {at: self._syntax(*at, role) for at, role in self.roles.items()}
        if "object" not in syntax.values() or AGENT not in self.roles.values():
            return syntax
        roles = dict(self.roles)
        for (verb, argument), role in roles.items():
            if role == AGENT and syntax[verb, argument] == "object":
                for (other, subject), own in roles.items():
                    if other == verb and own in UNDERGOERS and syntax[other, subject] == "subject":
                        self.roles[verb, argument], self.roles[verb, subject] = own, role
        return {at: self._syntax(*at, role) for at, role in self.roles.items()}

    def _identified(self) -> list[tuple[int, int]]:
        """Return subjects with their predicate nouns: "Paris is the capital"."""
        words = [*zip(self.tokens, self.bare, strict=True)]
        copular = {token.head for token, relation in words if relation == "cop"} - {-1}
        return [
            (i, token.head)
            for i, (token, relation) in enumerate(words)
            if relation == "nsubj"
            and token.head in copular
            and self.tokens[token.head].pos in IDENTIFYING
        ]

    def _first_conjunct(self, word: int) -> int:
        """Return the first of the conjuncts, or of the parts of a name, that a word belongs to."""
        for _ in range(LONGEST_CHAIN):
            if self.bare[word] not in SHARED or self.tokens[word].head < 0:
                break
            word = self.tokens[word].head
        return word

    def _syntax(self, governor: int, word: int, role: str | None) -> str:
        """Return the position of a word, with its role if it has one, relative to a governor."""
        tokens, relation = self.tokens, self.bare[word]
        if role == IDENTITY:
            return IDENTITY
        if tokens[word].head == governor:
            if relation in OBLIQUE:
                return self._oblique(governor, word)
            syntax = SYNTAX.get(relation, "")
            passive = syntax == "subject" and tokens[word].relation.endswith(":pass")
            return "object" if passive else syntax
        if tokens[governor].head == word and tokens[governor].relation == "acl:relcl":
            own_subject = any(
                token.head == governor
                and self.bare[i] == "nsubj"
                and token.pos not in ("PRON", "DET")
                for i, token in enumerate(tokens)
            )
            return "object" if own_subject or governor in self.passive else "subject"
        if role is None:
            return ""
        agent = role == AGENT or tokens[governor].pos != "VERB"
        return "subject" if agent else "object"

    def _oblique(self, governor: int, word: int) -> str:
        relation, preposition = self.tokens[word].relation, self.prepositions[word]
        if relation == "obl:agent" or (preposition == "by" and governor in self.passive):
            return "subject"
        return "of" if relation == "nmod:poss" else preposition or ""
