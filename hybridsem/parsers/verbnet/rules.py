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

from collections.abc import Sequence

from hybridsem.english.words import NEGATORS
from hybridsem.parsers.base import OverTrees
from hybridsem.parsers.trees.clauses import CLAUSES, Clauses
from hybridsem.parsers.verbnet.candidates import ELSEWHERE, RANKS, VERB_RANK, Candidate, fill
from hybridsem.parsers.verbnet.draft import Draft
from hybridsem.parsers.verbnet.labelled import LabelledPredicates
from hybridsem.parsers.verbnet.nominal import NominalDraft, read_nominal
from hybridsem.parsers.verbnet.verbal import VerbDraft, is_copular, read_verb
from hybridsem.structures import DependencyTree, Frame, Predicate, Role, RoleStructure

__all__ = ["VerbNetParser", "frames", "structure"]


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
