"""What a semantic role labeller's predicates change in the roles that the tables read off a tree.

    tables    Agent: the milk   Verb: curdled           (no object, and "curdle" is not in the list)
    labeller  curdle.01   ARG1 Patient: the milk   ->   Patient: the milk   Verb: curdled

The candidates for a frame's roles are the tables': they cover every content word and keep the
conventions of :mod:`hybridsem.parsers.verbnet.rules`. Of the labeller comes the role of a candidate
whose head it has labelled, what the tables have not found (the subject of "to leave" in "I want him
to leave"), the noun of a light verb ("took a walk") as part of the Verb, and frames of nouns and
adjectives.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import permutations

from hybridsem.parsers.trees.phrases import Phrases
from hybridsem.parsers.verbnet.candidates import ELSEWHERE, SUBJECT_RANK, VERB_RANK, Candidate
from hybridsem.parsers.verbnet.general_roles import VERBNET, of_verbnet
from hybridsem.structures import Argument, Predicate, Role

LIGHT_VERB = "ARGM-LVB"
_ADJUNCTS = (Role.LOCATION, Role.TRAJECTORY, Role.MANNER, Role.TIME)
REPLACED = frozenset(
    {
        (Role.THEME, Role.PATIENT),
        (Role.THEME, Role.AGENT),
        (Role.PATIENT, Role.AGENT),
        (Role.AGENT, Role.PATIENT),
        *permutations(_ADJUNCTS, 2),
    }
)
"""A role of the tables, and one of the labeller that replaces it.

VerbNet's Themes hold many that move by themselves or are affected ("*she* left", "helped *him*").
By the conventions of the tables those are Agents and Patients: so say the hand-repaired parses
of the pilot. For the same reason an Agent becomes a Patient only where all of VerbNet's roles say
so ("the milk curdled", not "the ball rolled"). Places, ways, times and manners stay such, but which
of them they are the labeller says. This was chosen on the pilot, STSb dev and SICK train: with
movers as Themes, or participants among the places and places among the participants as the labeller
has them, the correlations are lower.
"""


class LabelledPredicates:
    """The predicates of a tree by their words; none where no labeller has read it."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases, self.tree = phrases, phrases.tree
        self.predicates = {predicate.index: predicate for predicate in self.tree.predicates or ()}
        self.light_nouns = {
            argument.head: predicate.index
            for predicate in self.predicates.values()
            for argument in predicate.arguments
            if argument.label == LIGHT_VERB and self.tree[predicate.index].head == argument.head
            if not phrases.has_particle(argument.head)  # "gave up smoking"
        }
        """The noun of a light verb, by the verb."""

    def of(self, word: int) -> Predicate | None:
        """The predicate at ``word``, or that of its noun where it is a light verb."""
        return self.predicates.get(self.light_nouns.get(word, word))

    def without_frames(self, framed: Collection[int]) -> list[Predicate]:
        """The predicates with a role to give that have no frame, by the words that are ``framed``.

        Auxiliaries are left out, and nouns whose light verbs are framed.
        """
        nouns = (noun for verb, noun in self.light_nouns.items() if verb in framed)
        taken = {*framed, *nouns}
        return [
            predicate
            for predicate in self.predicates.values()
            if predicate.index not in taken
            and self.phrases.base[predicate.index] not in ("aux", "cop")
            if any(map(self._counts, predicate.arguments))
        ]

    def refine(self, candidates: list[Candidate], predicate: Predicate | None) -> list[Candidate]:
        """The candidates of a frame with the labeller's roles, and what it has found besides."""
        if predicate is None:
            return candidates
        by_head = {
            argument.head: argument for argument in predicate.arguments if self._counts(argument)
        }
        if not by_head:
            return candidates
        refined = [
            _with_role_of(candidate, by_head.get(self._head(candidate))) for candidate in candidates
        ]
        covered = {t for candidate in candidates for t in candidate.tokens}
        found = [
            Candidate(SUBJECT_RANK, head, (argument.role,), argument.tokens)
            for head, argument in by_head.items()
            if argument.role is not None and covered.isdisjoint(argument.tokens)
        ]
        roles_found = {candidate.roles[0] for candidate in found}
        # A subject that the tables share with another clause gives way to another one that the
        # labeller has found.
        kept = (
            candidate
            for candidate in refined
            if candidate.head != ELSEWHERE or candidate.roles[0] not in roles_found
        )
        return [*kept, *found]

    def _head(self, candidate: Candidate) -> int:
        if candidate.head in candidate.tokens:
            return candidate.head
        return self.phrases.head_of(candidate.tokens)

    def _counts(self, argument: Argument) -> bool:
        """Whether an argument says who or what: it has a role and is no reference or empty "it"."""
        if argument.role is None or argument.role == Role.VERB or argument.label.startswith("R-"):
            return False
        return self.tree[argument.head].relation != "expl"


def _with_role_of(candidate: Candidate, argument: Argument | None) -> Candidate:
    """The candidate with an argument's role before its own, where that role replaces its first."""
    if argument is None or argument.role is None or candidate.rank == VERB_RANK:
        return candidate
    first = candidate.roles[0]
    if (first, argument.role) not in REPLACED:
        return candidate
    if first == Role.AGENT and not _is_patient(argument):
        return candidate
    others = (role for role in candidate.roles if role != argument.role)
    return candidate._replace(roles=(argument.role, *others))


def _is_patient(argument: Argument) -> bool:
    return {VERBNET.get(of_verbnet(name)) for name in argument.verbnet} == {Role.PATIENT}
