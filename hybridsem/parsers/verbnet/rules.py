"""VerbNet-style roles from a dependency tree (UD labels as in English EWT).

    The vase was not   knocked over   by the cat   in the kitchen      predicate "knock over",
    Patient    (neg.)  Verb           Agent        Location            voice passive, negated

The main frame is that of the root. Together its fillers contain every content word of the
sentence, except for coordinated clauses, parataxis and asides. A subordinate clause fills one role
as a whole. Each clause also has a separate frame after the main one, in the order of the text. It
has the subject that it shares with another clause, as in "She came and saw".

Each predicate is a draft whose dependents, by a table from relation to handler
(``verbal.py``, ``nominal.py``), become candidates for its roles. If a labeller has read the tree
(``tree.predicates``), its roles replace and complete those of the tables. Nouns and adjectives that
it calls predicates get frames after all others.

Conventions, as in the hand-repaired parses of Fodor, De Deyne & Suzuki 2024:

* A filler's text is the phrase as written, with its preposition; its words are the content words in
  lower case.
* Recipients are Patients ("give *Anna* a book" = "give a book *to Anna*"). A copula is the Verb,
  its subject the Patient and its complement the Theme, or the Location or Time ("is in Rome"). In
  "there is" the noun is the Theme, but "there is a dog barking" is read as "a dog is barking".
* "Not all came", "she hardly spoke" and "without paying" are negated.
* Auxiliaries, negation and semi-modals ("has to", "is able to") are in no filler: they are the
  frame's ``negated``, ``modality`` and ``voice``. "started to run" is one Verb.
* Without a verb, the root's phrase is the Verb. But "a man playing chess" is read as "a man plays
  chess", "France to ban shows" as "France bans shows", and after a name and a colon the rest comes
  first ("Egypt: bomb kills ten").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import permutations
from operator import itemgetter

from hybridsem import structures
from hybridsem._utils.tables import word_set
from hybridsem.english.signatures import SIGNATURES, Complement
from hybridsem.english.words import (
    AFTER_NOT,
    NEAR_NEGATORS,
    NEGATORS,
    NOT,
    SEMI_MODALS,
    UNACCUSATIVE_VERBS,
)
from hybridsem.parsers.base import OverTrees
from hybridsem.parsers.trees.clauses import CLAUSES, INFINITIVES, Clauses, Phrases
from hybridsem.parsers.verbnet import tables, verbal
from hybridsem.parsers.verbnet.general_roles import CIRCUMSTANCES, VERBNET, of_verbnet
from hybridsem.parsers.verbnet.nominal import read_nominal
from hybridsem.parsers.verbnet.verbal import ELSEWHERE, Candidate, Draft, Rank
from hybridsem.structures import Argument, DependencyTree, Filler, Frame, Predicate, Role

LIGHT_VERB = "ARGM-LVB"
_PARTICIPANTS = {(Role.THEME, Role.PATIENT), (Role.THEME, Role.AGENT)} | {
    *permutations((Role.PATIENT, Role.AGENT), 2)
}
_NO_ROLES = (None, Role.VERB)
_COMPLEMENT_RANKS = (Rank.XCOMP, Rank.CCOMP)
_OBJECT_RANKS = (Rank.IOBJ, Rank.OBJ)
REPLACED = frozenset(_PARTICIPANTS | {*permutations(CIRCUMSTANCES, 2)})
"""A role of the tables, and one of the labeller that replaces it.

VerbNet's Themes include things that move or are affected ("*she* left", "helped *him*"). In the
conventions of the tables these are Agents and Patients. For the same reason an Agent becomes a
Patient only where all of VerbNet's roles agree ("the milk curdled", not "the ball rolled"). This
was chosen on the pilot, STSb dev and SICK train.
"""


def _with_role_of(candidate: Candidate, argument: Argument | None) -> Candidate:
    """Return the candidate with an argument's role first, if that role replaces its first."""
    if argument is None or argument.role is None or candidate.rank == Rank.VERB:
        return candidate
    first = candidate.roles[0]
    if (first, argument.role) not in REPLACED:
        if candidate.rank == Rank.OBL and argument.role in CIRCUMSTANCES:
            # If other phrases have the roles: "sent us letters *from Rome*".
            return candidate._replace(roles=(*candidate.roles, argument.role))
        return candidate
    verbnet = {VERBNET.get(of_verbnet(name)) for name in argument.verbnet}
    if first == Role.AGENT and verbnet != {Role.PATIENT}:
        return candidate
    others = (role for role in candidate.roles if role != argument.role)
    return candidate._replace(roles=(argument.role, *others))


def fill(candidates: Iterable[Candidate], phrases: Phrases) -> dict[str, Filler]:
    """Return the fillers by role; a word is in one filler only. Each candidate gets the first free
    one of its roles, or shares the last.
    """
    tokens_of: dict[str, list[int]] = {}
    heads: dict[str, int] = {}
    used: set[int] = set()
    for _, head, roles, tokens in sorted(candidates, key=itemgetter(0, 1)):
        if not used.isdisjoint(tokens):
            tokens = [t for t in tokens if t not in used]
        if not tokens:
            continue
        used.update(tokens)
        for role in roles:
            if role not in tokens_of:
                tokens_of[role], heads[role] = [*tokens], phrases.head_of(tokens, head)
                break
        else:
            tokens_of[role] += tokens
    return {
        role: phrases.filler(tokens_of[role], heads[role]) for role in Role if role in tokens_of
    }


def structure(tree: DependencyTree) -> structures.RoleStructure:
    """Return the roles of a UD tree."""
    return structures.RoleStructure(tree.text, frames(tree), tree=tree, truncated=tree.truncated)


class VerbNetParser(OverTrees):
    """A parser to VerbNet-style roles over ``trees``, a tree parser with UD's relations.

    >>> from hybridsem.registry import parser
    >>> (found,) = parser("embedded", "verbnet").parse(["A dog barked."])
    >>> found.roles["Agent"].text
    'A dog'
    """

    structure = staticmethod(structure)


def frames(tree: DependencyTree) -> tuple[Frame, ...]:
    """Return the frames of a UD tree, at least one, the main predicate's first."""
    return _Reader(tree).read()


class _Reader:
    """Reads the frames of one tree; used once."""

    def __init__(self, tree: DependencyTree) -> None:
        self.clauses, self.tree = Clauses(tree), tree
        self.predicates = {predicate.index: predicate for predicate in tree.predicates or ()}
        self.light_nouns = {
            argument.head: predicate.index
            for predicate in self.predicates.values()
            for argument in predicate.arguments
            if argument.label == LIGHT_VERB and tree[predicate.index].head == argument.head
            if not self.clauses.particle(argument.head)  # "gave up smoking"
        }
        """The noun of each light verb."""
        self.may_be_negated = not _NEGATING.isdisjoint(self.clauses.lemma)
        self._find_complements()
        self.framed: set[int] = set()  # heads that have a frame, or belong to its verb
        self.asides: set[int] = set()  # dependents of predicates that get separate frames
        self.complements: set[int] = set()  # complements of copulas

    def read(self) -> tuple[Frame, ...]:
        clauses, base = self.clauses, self.clauses.base
        main = clauses.tree.root
        if clauses.promoted is not None:
            self.framed.update(clauses.root_nouns)
            main = clauses.promoted
        elif clauses.reported is not None:
            self.asides.add(main)
            main = clauses.reported
        found = [self.frame(main)]
        predicates = {i for i, b in enumerate(base) if b in CLAUSES and clauses.is_predicate(i)}
        while heads := sorted((predicates | self.asides) - self.framed):
            for i in heads:
                if i not in self.framed:
                    found.append(self.frame(i))
        framed = self.framed - self.complements
        framed |= {noun for verb, noun in self.light_nouns.items() if verb in framed}
        for head, predicate in self.predicates.items():  # those without a frame
            if head in framed or base[head] in ("aux", "cop"):
                continue
            if not any(map(self._counts, predicate.arguments)):
                continue
            refined = self._refine([], predicate)
            candidates = [each.without(head, clauses) for each in refined]
            candidates.append(Candidate(Rank.VERB, head, (Role.VERB,), (head,)))
            fillers = fill(candidates, clauses)
            negated = any(argument.label == "ARGM-NEG" for argument in predicate.arguments)
            details = (None, "active", predicate.roleset, predicate.arguments)
            found.append(Frame(clauses.lemma[head], fillers, negated, *details))
        return tuple(found)

    def frame(self, head: int) -> Frame:
        """Return the frame of the predicate ``head`` ("go" for "has" in "has to go")."""
        clauses = self.clauses
        chain, modality = clauses.chain(head)
        self.framed.update(chain)
        predicate = chain[-1]
        copula = clauses.copula(predicate)
        is_verbal = clauses.pos[predicate] in ("VERB", "AUX") or clauses.has(predicate, "aux")
        is_verb = copula is None and is_verbal
        tokens = clauses.verb_group(chain) if is_verb else [predicate]
        outside = {*chain, clauses.reported}
        below = [c for link in chain for c in clauses.children(link) if c not in outside]
        auxiliaries = [c for c in below if clauses.base[c] in ("aux", "cop")]
        below += [c for auxiliary in auxiliaries for c in clauses.children(auxiliary)]
        draft = Draft(clauses, chain, below, tokens, copula, self.light_nouns.get(predicate))
        name = verbal.read_verb(draft) if is_verb else read_nominal(draft)
        if copula is not None:
            self.framed.add(copula)
            self.complements.add(predicate)
        self.asides |= draft.asides
        candidates = draft.candidates
        if len(chain) > 1:  # in "there is a dog barking" the verb is inside its subject
            candidates = [
                each if each.head == predicate else each.without(predicate, clauses)
                for each in candidates
            ]
        negated = self.may_be_negated and _is_negated(draft, candidates)
        word = predicate if copula is None else copula  # a light verb has its noun's predicate
        labelled = self.predicates.get(self.light_nouns.get(word, word))
        if copula is None and not verbal.is_copular(draft):
            candidates = self._refine(candidates, labelled)
        elif draft.existential:
            candidates = self._carve(candidates, labelled)
        arguments = () if labelled is None else labelled.arguments
        if (barred := clauses.barred(predicate)) is not None:
            arguments = tuple(each for each in arguments if each.head != barred)
        return Frame(
            name,
            fill(candidates, clauses),
            negated,
            modality,
            "passive" if draft.passive else "active",
            None if labelled is None else labelled.roleset,
            arguments,
        )

    def _find_complements(self) -> None:
        """Read an infinitive after an object as a complement: "ordered us to go". It is a numbered
        argument of a verb that has such complements.
        """
        clauses = self.clauses
        if "advcl" not in clauses.base:
            return
        for verb, predicate in self.predicates.items():
            lemma = clauses.lemma[verb]
            if (lemma, Complement.TO) not in SIGNATURES or lemma in SEMI_MODALS:
                continue
            if clauses.pos[verb] != "VERB" or not clauses.has(verb, "obj", "iobj"):
                continue
            for label, i in ((each.label, each.head) for each in predicate.arguments):
                numbered = label.removeprefix("ARG").isdigit() and clauses.heads[i] == verb
                if numbered and clauses.base[i] == "advcl" and clauses.has_to(i):
                    clauses.base[i] = clauses.relation[i] = "xcomp"

    def _refine(self, candidates: list[Candidate], predicate: Predicate | None) -> list[Candidate]:
        """Return the candidates of a frame with the labeller's roles and additions."""
        if predicate is None:
            return candidates
        arguments: Iterable[Argument] = predicate.arguments
        if self.clauses.base[predicate.index] in INFINITIVES:
            arguments = filter(partial(self._is_possible, predicate.index), arguments)
        by_head = {each.head: each for each in arguments if self._counts(each)}
        if not by_head:
            return candidates
        heads = [self.clauses.head_of(each.tokens, each.head) for each in candidates]
        refined = [*map(_with_role_of, candidates, map(by_head.get, heads))]
        if "it" in self.clauses.lower:
            self._extrapose(refined, by_head)
        others = [each for head, each in by_head.items() if head not in heads]
        if not others:
            return refined
        covered = {t for candidate in candidates for t in candidate.tokens}
        found = [
            Candidate(Rank.NSUBJ, argument.head, (argument.role,), argument.tokens)
            for argument in others
            if argument.role is not None and covered.isdisjoint(argument.tokens)
        ]
        roles_found = {candidate.roles[0] for candidate in found}
        # A subject shared with another clause yields to one that the labeller found.
        kept = (c for c in refined if c.head != ELSEWHERE or c.roles[0] not in roles_found)
        return [*kept, *found]

    def _extrapose(self, candidates: list[Candidate], by_head: dict[int, Argument]) -> None:
        """Give the place of "it" to the clause: "*it* surprised me *that she left*"."""
        for it in candidates:
            argument = by_head.get(it.head)
            if it.rank != Rank.NSUBJ or argument is None or "stimulus" not in argument.verbnet:
                continue
            if self.clauses.lower[it.head] != "it" or len(it.tokens) > 1:
                continue
            clause = next((each for each in candidates if each.rank in _COMPLEMENT_RANKS), None)
            if clause is not None and any(each.rank in _OBJECT_RANKS for each in candidates):
                candidates.remove(it)
                candidates.remove(clause)
                candidates.append(clause._replace(rank=Rank.NSUBJ, roles=it.roles))
                return

    def _carve(self, candidates: list[Candidate], predicate: Predicate | None) -> list[Candidate]:
        """Return the candidates with places and times apart from the noun: "no milk *in it*"."""
        found = []
        for argument in () if predicate is None else predicate.arguments:
            head = argument.head
            noun = self.tree[head].head
            if argument.role not in (Role.LOCATION, Role.TIME) or self.clauses.base[head] != "nmod":
                continue
            if any(each.head == noun for each in candidates):
                found.append(Candidate(Rank.OBL, head, (argument.role,), argument.tokens))
                candidates = [each.without(head, self.clauses) for each in candidates]
        return [*candidates, *found]

    def _is_possible(self, predicate: int, argument: Argument) -> bool:
        """Test if the structure around an infinitive allows an argument. Excluded are "Ann" in "he
        promised Ann to win", "it" as the Agent in "it is easy to read" and "she" as the Patient in
        "she is eager to please".
        """
        clauses, head, lemma = self.clauses, argument.head, self.clauses.lemma[predicate]
        if head == clauses.barred(predicate):
            return False
        adjective = clauses.adjective_of(predicate)
        if adjective is None or head not in clauses.children(adjective):
            return True
        affects = lemma in tables.PATIENT_OBJECT and lemma not in UNACCUSATIVE_VERBS
        return not clauses.is_tough(predicate) and (argument.role != Role.PATIENT or not affects)

    def _counts(self, argument: Argument) -> bool:
        """Test if an argument has a role and is not a reference or an expletive."""
        if argument.role in _NO_ROLES or argument.label[:2] == "R-":
            return False
        if self.clauses.lower[argument.head] in NEAR_NEGATORS:
            return False
        return self.clauses.relation[argument.head] != "expl"


_NEGATING = NEGATORS | NEAR_NEGATORS | {"without"}
_QUANTITIES = word_set(
    "a all an both each enough every everybody everyone everything many much one"
)


def _is_negated(draft: Draft, candidates: Sequence[Candidate]) -> bool:
    """Test if a predicate is negated, by a dependent or within a subject or object."""
    clauses, lower, base = draft.clauses, draft.clauses.lower, draft.clauses.base
    for c in draft.dependents:  # not so in "No, he came", "he said no" and "not only he came"
        word = clauses.lemma[c]
        if word == "without":
            if base[c] in ("case", "mark"):  # "without paying"
                return True
        elif word in NOT and not AFTER_NOT.isdisjoint(lower[c + 1 : c + 2]):
            continue
        elif word in _NEGATING and (
            base[c] in ("advmod", "det") if word == "no" else base[c] != "discourse"
        ):
            return True
    arguments = [each for each in candidates if Rank.VERB < each.rank <= Rank.OBJ]
    for each in arguments:  # "not all students", "hardly anyone"
        first, second = [*each.tokens[:2], -1][:2]
        negates = lower[first] in NEAR_NEGATORS
        if second == first + 1 and (
            negates or (lower[first] in NOT and lower[second] in _QUANTITIES)
        ):
            return True
    heads = [each.head for each in arguments if each.head != ELSEWHERE]
    longer = (c for c in draft.dependents if lower[c] in ("longer", "more"))
    return any(  # "he no longer smokes"
        lower[d] in ("no", "neither") and base[d] in ("advmod", "cc", "det")
        for head in (*heads, *longer)
        for d in clauses.children(head)
    )
