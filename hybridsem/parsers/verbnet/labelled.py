"""What a semantic role labeller's predicates change in the roles that the tables read off a tree.

    tables    Agent: the milk   Verb: curdled           (no object, and "curdle" is not in the list)
    labeller  curdle.01   ARG1 Patient: the milk   ->   Patient: the milk   Verb: curdled

The tables make the claims of a frame: they cover every content word and keep the conventions of
``verbnet.py``. Of the labeller comes the role of a claim whose head it has labelled, what the
tables have not found (the subject of "to leave" in "I want him to leave"), the noun of a light verb
("took a walk") as part of the Verb, and frames of nouns and adjectives.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import permutations

from hybridsem.parsers.trees.phrases import Phrases
from hybridsem.parsers.verbnet import tables
from hybridsem.parsers.verbnet.general_roles import VERBNET, of_verbnet
from hybridsem.structures import Argument, Predicate, Role

__all__ = ["Claim", "Semantics"]

Claim = tuple[int, int, tables.Preferences, Sequence[int]]
"""What asks for a role in a frame: rank, head (-1 where it stands elsewhere), roles from best to
last, tokens.
"""

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
By the conventions of ``verbnet.py`` those are Agents and Patients: so say the hand-repaired parses
of the pilot. For the same reason an Agent becomes a Patient only where all of VerbNet's roles say
so ("the milk curdled", not "the ball rolled"). Places, ways, times and manners stay such, but which
of them they are the labeller says. This was chosen on the pilot, STSb dev and SICK train: with
movers as Themes, or participants among the places and places among the participants as the labeller
has them, the correlations are lower.
"""
_FOUND_RANK = 0
"""What only the labeller has found chooses its role with the subjects."""


class Semantics:
    """The predicates of a tree by their words; without a labeller there are none, and nothing
    changes.
    """

    def __init__(self, phrases: Phrases) -> None:
        self.phrases, self.tree = phrases, phrases.tree
        self.predicates = {predicate.index: predicate for predicate in self.tree.predicates or ()}
        self.light = {  # a light verb -> its noun
            argument.head: predicate.index
            for predicate in self.predicates.values()
            for argument in predicate.arguments
            if argument.label == LIGHT_VERB and self.tree[predicate.index].head == argument.head
            if not phrases.has_particle(argument.head)  # "gave up smoking"
        }

    def of(self, word: int) -> Predicate | None:
        """The predicate at ``word``, or that of its noun where it is a light verb."""
        return self.predicates.get(self.light.get(word, word))

    def others(self, used: Collection[int]) -> list[Predicate]:
        """The predicates with a role to give; neither ``used``, nor nouns of light verbs that are,
        nor auxiliaries.
        """
        taken = {*used, *(noun for verb, noun in self.light.items() if verb in used)}
        return [
            predicate
            for predicate in self.predicates.values()
            if predicate.index not in taken
            and self.phrases.base[predicate.index] not in ("aux", "cop")
            if any(map(self._counts, predicate.arguments))
        ]

    def refined(self, claims: list[Claim], predicate: Predicate | None) -> list[Claim]:
        """The claims of a frame with the roles of the labeller, and what it has found besides."""
        if predicate is None:
            return claims
        by_head = {
            argument.head: argument for argument in predicate.arguments if self._counts(argument)
        }
        heads = [
            head if head in tokens else self.phrases.head_of(tokens)
            for _, head, _, tokens in claims
        ]
        found = [
            self._overruled(claim, by_head.get(head))
            for claim, head in zip(claims, heads, strict=True)
        ]
        covered = {t for *_, tokens in claims for t in tokens}
        new: list[Claim] = [
            (_FOUND_RANK, head, (argument.role,), argument.tokens)
            for head, argument in by_head.items()
            if argument.role is not None and covered.isdisjoint(argument.tokens)
        ]
        known = {roles[0] for _, _, roles, _ in new}
        # A subject that the tables share with another clause gives way to another one that the
        # labeller has found.
        return [*(claim for claim in found if claim[1] >= 0 or claim[2][0] not in known), *new]

    def _overruled(self, claim: Claim, argument: Argument | None) -> Claim:
        rank, head, roles, tokens = claim
        if (
            argument is None
            or argument.role is None
            or rank < 0
            or (roles[0], argument.role) not in REPLACED
        ):
            return claim
        if roles[0] == Role.AGENT and not _is_patient(argument):
            return claim
        return (
            rank,
            head,
            (argument.role, *(role for role in roles if role != argument.role)),
            tokens,
        )

    def _counts(self, argument: Argument) -> bool:
        """Whether an argument says who or what: it has a role, refers to no other one, and is no
        empty "it".
        """
        if argument.role is None or argument.role == Role.VERB or argument.label.startswith("R-"):
            return False
        return self.tree[argument.head].relation != "expl"


def _is_patient(argument: Argument) -> bool:
    return {VERBNET.get(of_verbnet(name)) for name in argument.verbnet} == {Role.PATIENT}
