"""VerbNet-style roles from a dependency tree (UD labels as in English EWT).

    The vase was not   knocked over   by the cat   in the kitchen      predicate "knock over",
    Patient    (neg.)  Verb           Agent        Location            voice passive, negated

The main frame is that of the root. Between them its fillers hold every content word of the
sentence, a subordinate clause standing in one role as a whole (its words too), except for
coordinated clauses, parataxis and asides. Each clause also has a frame of its own, after the main
one and in the order of the text; it has the subject that it shares with another clause, as in "She
came and saw".

Each predicate is a draft (``draft.py``) whose dependents, by a table from relation to handler
(``verbal.py``, ``nominal.py``), become candidates for its roles (``candidates.py``). Where a
labeller has read the tree (``tree.predicates``), its roles replace and complete those of the tables
(``labelled.py``), and nouns and adjectives that it calls predicates have frames too, after all
others.

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

from collections.abc import Collection, Sequence
from itertools import permutations

from hybridsem.english.words import NEGATORS
from hybridsem.parsers.base import OverTrees
from hybridsem.parsers.trees.clauses import CLAUSES, Clauses, Phrases
from hybridsem.parsers.verbnet.draft import (
    ELSEWHERE,
    RANKS,
    SUBJECT_RANK,
    VERB_RANK,
    Candidate,
    Draft,
    fill,
)
from hybridsem.parsers.verbnet.general_roles import VERBNET, of_verbnet
from hybridsem.parsers.verbnet.verbal import (
    NominalDraft,
    VerbDraft,
    is_copular,
    read_nominal,
    read_verb,
)
from hybridsem.structures import Argument, DependencyTree, Frame, Predicate, Role, RoleStructure

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


class VerbNetParser(OverTrees):
    """Sentences to VerbNet-style roles, by way of a tree parser. ``trees``: a parser whose trees
    have UD's relations.

    >>> from hybridsem.registry import parser
    >>> (found,) = parser("embedded", "verbnet").parse(["A dog barked."])
    >>> found.roles["Agent"].text
    'A dog'
    """

    def structure(self, tree: DependencyTree) -> RoleStructure:
        """As the function of that name."""
        return structure(tree)


def structure(tree: DependencyTree, text: str | None = None) -> RoleStructure:
    """The structure that a tree's roles make. ``tree``: a dependency tree with UD's relations;
    ``text``: the structure's text; None: the tree's.

    >>> from hybridsem.parsers.trees.embedded import EmbeddedTrees
    >>> (tree,) = EmbeddedTrees().trees(["A dog barked."])
    >>> structure(tree).roles["Agent"].text
    'A dog'
    """
    return RoleStructure(
        tree.text if text is None else text, frames(tree), tree=tree, truncated=tree.truncated
    )


def frames(tree: DependencyTree) -> tuple[Frame, ...]:
    """The frames of a tree, the main predicate's first; at least one for any tree with a word.
    ``tree``: a dependency tree with UD's relations.

    >>> from hybridsem.parsers.trees.embedded import EmbeddedTrees
    >>> (tree,) = EmbeddedTrees().trees(["A dog barked and a cat ran."])
    >>> [frame.predicate for frame in frames(tree)]
    ['bark', 'run']
    """
    return _Reader(tree).read()


class _Reader:
    """Reads the frames of one tree; mutable, used once."""

    def __init__(self, tree: DependencyTree) -> None:
        self.clauses = Clauses(tree)
        self.labelled = LabelledPredicates(self.clauses)
        self.framed: set[int] = set()  # heads that have a frame, or are part of one's verb
        self.asides: set[int] = set()  # what stands beside a predicate and is to have a frame
        self.complements: set[int] = set()  # what copulas say of their subjects

    def read(self) -> tuple[Frame, ...]:
        found = [self.frame(self.main())]
        base, is_predicate = self.clauses.base, self.clauses.is_predicate
        predicates = {i for i, name in enumerate(base) if name in CLAUSES and is_predicate(i)}
        while heads := sorted((predicates | self.asides) - self.framed):
            for i in heads:
                if i not in self.framed:
                    found.append(self.frame(i))
        others = self.labelled.without_frames(self.framed - self.complements)
        return (*found, *map(self.labelled_frame, others))

    def main(self) -> int:
        """The main frame's predicate: the root, or the verb that stands for a noun as root."""
        clauses = self.clauses
        if clauses.promoted is not None:
            self.framed.update(clauses.root_nouns)
            return clauses.promoted
        if clauses.reported is not None:
            self.asides.add(clauses.tree.root)
            return clauses.reported
        return clauses.tree.root

    def frame(self, head: int) -> Frame:
        """The frame of the predicate ``head`` (of the verb it leads to, for "has to go")."""
        clauses = self.clauses
        chain, modality = clauses.chain(head)
        self.framed.update(chain)
        predicate = chain[-1]
        copula = clauses.copula(predicate)
        is_verb = clauses.tokens[predicate].pos in ("VERB", "AUX") or clauses.has(predicate, "aux")
        draft: VerbDraft | NominalDraft
        if copula is None and is_verb:
            tokens, noun = clauses.verb_group(chain), self.labelled.light_nouns.get(predicate)
            draft = VerbDraft(clauses, chain, self.dependents(chain), tokens, light_noun=noun)
            name = read_verb(draft)
        else:
            draft = NominalDraft(clauses, chain, self.dependents(chain), [predicate], copula=copula)
            name = read_nominal(draft)
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
        negated = _is_negated(draft, candidates)
        labelled = self.labelled.of(predicate if copula is None else copula)
        if copula is None and not is_copular(draft):
            candidates = self.labelled.refine(candidates, labelled)
        return Frame(
            name,
            fill(candidates, clauses),
            negated,
            modality,
            draft.voice,
            None if labelled is None else labelled.roleset,
            () if labelled is None else labelled.arguments,
        )

    def dependents(self, chain: list[int]) -> list[int]:
        """What hangs from the words of a chain of predicates, and from their auxiliaries."""
        clauses = self.clauses
        below = [
            c
            for link in chain
            for c in clauses.children(link)
            if c not in chain and c != clauses.reported
        ]
        auxiliaries = [c for c in below if clauses.base[c] in ("aux", "cop")]
        return below + [c for auxiliary in auxiliaries for c in clauses.children(auxiliary)]

    def labelled_frame(self, predicate: Predicate) -> Frame:
        """The frame of a noun or adjective that only the labeller calls a predicate."""
        head, clauses = predicate.index, self.clauses
        candidates = [each.without(head, clauses) for each in self.labelled.refine([], predicate)]
        candidates.append(Candidate(VERB_RANK, head, (Role.VERB,), (head,)))
        return Frame(
            clauses.lemma[head],
            fill(candidates, clauses),
            negated=any(argument.label == "ARGM-NEG" for argument in predicate.arguments),
            roleset=predicate.roleset,
            arguments=predicate.arguments,
        )


def _is_negated(draft: Draft, candidates: Sequence[Candidate]) -> bool:
    """Whether a word beside a predicate denies it, or "no" or "neither" before an argument."""
    clauses, below = draft.clauses, draft.dependents
    if NEGATORS.isdisjoint(clauses.lower):
        return False
    if any(clauses.lower[c] in NEGATORS and _denies(clauses, c) for c in below):
        return True
    heads = [
        each.head
        for each in candidates
        if VERB_RANK < each.rank <= RANKS["obj"] and each.head != ELSEWHERE
    ]
    heads += [c for c in below if clauses.lower[c] in ("longer", "more")]  # "he no longer smokes"
    return any(
        clauses.lower[d] in ("no", "neither") and clauses.base[d] in ("advmod", "cc", "det")
        for head in heads
        for d in clauses.children(head)
    )


def _denies(clauses: Clauses, i: int) -> bool:
    """Whether a negator beside a predicate denies it: not so in "No, he came" and "he said no"."""
    if clauses.lower[i] == "no":
        return clauses.base[i] in ("advmod", "det")
    return clauses.base[i] != "discourse"
