"""Tests of what a summary claims, and the sentences that it quotes."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hybridsem._utils.terminal import visible
from hybridsem.comparison.counterparts import DENIED, Counterparts, says_alike
from hybridsem.comparison.edits import ROLES, SURE, Edit, Evidence, Kind, Words
from hybridsem.comparison.folding import Unit, fold
from hybridsem.comparison.main_clause import in_clauses, main_clause
from hybridsem.comparison.phrases import phrases_in
from hybridsem.comparison.quotations import (
    DENIALS,
    QUOTED,
    are_unrelated,
    is_wording,
    phrases,
    shared_wording,
    whole_value,
    with_bound,
    written,
)
from hybridsem.comparison.spelling import Speller, excerpt, speller
from hybridsem.english.lexicon import LexicalRelation
from hybridsem.explanations import Explanation, Term
from hybridsem.phrases import PhraseLexicon
from hybridsem.render.template_files import wording
from hybridsem.structures import DependencyTree, Parsed, RoleStructure, Token

ALONE = re.compile("only the (first|second) sentence says ([^;]*)")
RELATING = frozenset({Kind.OPPOSITE, Kind.MODALITY})
"""Kinds of edits that name a relation of two words."""
EACH = re.compile(
    '(?:the first sentence says|the relation of|(?:at least )?the wording differs:) ("[^;]*")'
    '(?:, the second|(?: in the first sentence)(?:,| to)) ("[^;]*?")'
    "(?: in the second| in the second was not decided)?"
)
NEAR = 0.9
"""The least likeness, to a pair reader, of sentences of which only the wording differs. Of 290
development pairs with it that the reader had not seen, 242 mean the same: 81 of 119 of
plain-english and 161 of 171 of five other sets. Of PAWS-Wiki, with the same words, it is half.
"""
LISTED = 3  # the most words that are quoted of one sentence
LONGEST = 6  # the most words between a function word and its word that are quoted


class Side(NamedTuple):
    """A sentence whose words are quoted."""

    tree: DependencyTree
    spell: Speller
    units: Mapping[int, Unit]

    @classmethod
    def of(cls, parsed: Parsed | None) -> Side | None:
        """Return a sentence with a tree; None without one."""
        tree = parsed.tree if isinstance(parsed, RoleStructure) else None
        if tree is None:
            return None
        units = fold(tree.tokens, tree.text).units
        return cls(tree, speller(parsed, (), units), units)

    @property
    def words(self) -> Counter[str]:
        """Its words in lower case."""
        return Counter(token.text.lower() for token in self.tree if token.text[:1].isalnum())

    def spelled(self, tokens: Iterable[int]) -> list[str]:
        """Return tokens as written."""
        return [self.spell(token) for token in tokens if token < len(self.tree)]

    def quote(self, words: Words) -> str:
        """Return words with their markers, as written, or a list of several."""
        if words.marks and max(words.all_tokens) < len(self.tree):
            places = (*words.marks, *words.tokens)
            first, end = min(places), max(places) + 1
            if self.tree.tokens[end : end + 1] and self.tree[end].relation == "compound:prt":
                end += 1
            if end - first <= LONGEST:
                return listed([written(self.tree, with_bound(self.tree, range(first, end)))])
            return listed([excerpt((*words.marks, *words.tokens), self.spell)])
        after = self.tree.tokens[words.tokens[0] + 1 :][:1] if len(words.tokens) == 1 else ()
        if after and after[0].relation == "compound:prt":
            return listed([written(self.tree, range(words.tokens[0], words.tokens[0] + 2))])
        return listed(self.spelled(words.tokens))

    def auxiliaries(self, words: Words) -> str:
        """Return the verbs before a word that is far from its modal: "could have been"."""
        start = stop = min(words.marks, default=0)
        while words.marks and stop < len(self.tree) and self.tree[stop].pos in ("AUX", "PART"):
            stop += 1
        return listed([written(self.tree, range(start, stop))]) if stop > start else ""

    def is_far(self, words: Words) -> bool:
        """Test if a word is too far from its function words to be quoted with them."""
        places = (*words.marks, *words.tokens)
        return bool(words.marks) and max(places) - min(places) >= LONGEST

    def denied(self, words: Words, other: Side) -> str:
        """Return words that deny, each with the words up to the one that it denies, without those
        of the other sentence.
        """
        texts = []
        for at in (one for one in words.tokens if one < len(self.tree)):
            head = self.tree[at].head
            last = head if at < head <= at + LONGEST else at
            texts.append(written(self.tree, phrases(self.tree, range(at, last + 1))[0]))
        said = other.tree.text.lower()
        return listed([text for text in texts if text.lower() not in said])

    def negated(self, words: Words) -> str:
        """Return what a word denies that depends on it, from behind the denial: "a port city"."""
        at = max(words.tokens)
        denials = [one for one in self.tree.children(at) if self.tree[one].lemma in DENIALS]
        near = [one for one in denials if at - LONGEST <= one < at]
        return listed([written(self.tree, range(near[-1] + 1, at + 1))]) if near else ""

    def value(self, words: Words) -> list[int]:
        """Return the tokens of a value with its bound."""
        return whole_value(self.tree, words.tokens, self.units)

    def is_only_value(self, words: Words) -> bool:
        """Test if the sentence has one value of this type."""
        facts = [type(unit.fact) for at, unit in self.units.items() if at in words.tokens]
        return sum(type(unit.fact) in facts for unit in self.units.values()) == 1


def counterparts(explanation: Explanation) -> Counterparts | None:
    """Return what the words of two trees have to do with each other; None without trees."""
    trees = [
        one.tree if isinstance(one, RoleStructure) else None
        for one in (explanation.structure1, explanation.structure2)
    ]
    first, second = trees
    if first is None or second is None:
        return None
    partners = {
        pair.token1: pair.token2
        for pair in explanation.alignment
        if pair.token1 < len(first) and pair.token2 < len(second)
    }
    units = fold(first.tokens, first.text).units, fold(second.tokens, second.text).units
    synonyms = [pair for pair in explanation.alignment if pair.relation == LexicalRelation.SYNONYM]
    alike = set[int](), set[int]()
    known = (_longest_phrases(first), _longest_phrases(second)) if synonyms else ({}, {})
    for pair in synonyms:
        if pair.token1 in known[0] or pair.token2 in known[1]:
            alike[0].update(known[0].get(pair.token1, (pair.token1,)))
            alike[1].update(known[1].get(pair.token2, (pair.token2,)))
    return Counterparts(first, second, partners, units, alike)


def _longest_phrases(tree: DependencyTree) -> dict[int, Sequence[int]]:
    """Return the tokens of the longest phrase with each head that has one."""
    found = phrases_in(tree.tokens, PhraseLexicon.standard())
    return {one.head: one.tokens for one in sorted(found, key=lambda one: len(one.tokens))}


def listed(texts: Sequence[str]) -> str:
    """Return texts in quotation marks, the first few of many."""
    quoted = [f'"{visible(text)}"' for text in dict.fromkeys(texts) if text]
    if len(quoted) > LISTED + 1:
        quoted = [*quoted[:LISTED], f"{len(quoted) - LISTED} more"]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1]))) if quoted else ""


def both(shared: Sequence[str]) -> list[str]:
    """Return the clause about words that both sentences have; none without words."""
    return [f"both sentences say {listed(shared)}"] if shared else []


class Read(NamedTuple):
    """Two texts, and their likeness as a pair reader finds it; not a number without one."""

    text1: str
    text2: str
    likeness: float = math.nan
    clauses: tuple[str, ...] = ()
    """Their main clauses, if both are short enough to be quoted."""

    @classmethod
    def of(cls, explanation: Explanation) -> Read:
        """Return the texts of an explanation."""
        lines = explanation.matches
        read = (line.similarity for line in lines if line.term == Term.TOGETHER)
        parsed = (explanation.structure1, explanation.structure2)
        trees = (one.tree for one in parsed if isinstance(one, RoleStructure))
        clauses = tuple(filter(None, (main_clause(tree) for tree in trees if tree)))
        return cls(explanation.sentence1, explanation.sentence2, next(read, math.nan), clauses)


UNREAD = Read("", "")


def each(
    words1: Sequence[str], words2: Sequence[str], read: Read = UNREAD, loose: bool = False
) -> list[str]:
    """Return the clause about what each sentence says; none if one says nothing. Only, or at least,
    the wording of sentences differs that a pair reader finds alike. Words that stand side by side
    for no other reason than that each has no counterpart are ``loose``; the main clauses are quoted
    if the words are most of them.
    """
    if not (words1 and words2):
        return []
    quoted = listed(words1), listed(words2)
    shared = shared_wording(quoted, read[:2], read.likeness)
    if (loose or shared == "most") and (whole := in_clauses(quoted, read.clauses)):
        quoted, loose = whole, False
    if shared:
        near = read.likeness >= NEAR and is_wording(*quoted)
        texts = f"{quoted[0]} in the first sentence, {quoted[1]} in the second"
        if shared == "most":
            return [f"most of the wording{'' if near else ', at least,'} differs: {texts}"]
        return [f"{'' if near else 'at least '}the wording differs: {texts}"]
    if loose and are_unrelated(words1, words2):
        texts = f"{quoted[0]} in the first sentence to {quoted[1]} in the second"
        return [f"the relation of {texts} was not decided"]
    return [f"the first sentence says {quoted[0]}, the second {quoted[1]}"]


def only(alone1: Sequence[str], alone2: Sequence[str]) -> list[str]:
    """Return clauses about what one sentence alone says."""
    named = (("first", alone1), ("second", alone2))
    return [f"only the {name} sentence says {listed(some)}" for name, some in named if some]


def joined(clauses: Sequence[str]) -> str:
    """Join clauses."""
    if any(", " in clause or " and " in clause for clause in clauses):
        return "; ".join(clauses)
    return " and ".join(filter(None, (", ".join(clauses[:-1]), *clauses[-1:])))


def is_said(clause: str, others: Iterable[str]) -> bool:
    """Test if other clauses quote all that one sentence alone says."""
    match, known = ALONE.fullmatch(clause), " ".join(others)
    return match is not None and all(text in known for text in QUOTED.findall(match[2]))


def merged(clause: str, rest: str, read: Read) -> str:
    """Add a clause. If each sentence has words of its own, no claim is made that one alone has
    them: the other may use different words.
    """
    sides: dict[str, list[str]] = {"first": [], "second": []}
    main, mark, last = rest.partition("; only")
    for one in (clause, main):
        if match := ALONE.fullmatch(one):
            sides[match[1]] += QUOTED.findall(match[2])
        elif one is main and (match := EACH.fullmatch(one)):
            sides["first"] += QUOTED.findall(match[1])
            sides["second"] += QUOTED.findall(match[2])
        else:
            return f"{clause}; besides, {rest}"
    texts = [[text.strip('"') for text in some] for some in sides.values()]
    return joined(each(texts[0], texts[1], read, loose=True) or only(*texts)) + mark + last


def fits(edit: Edit, between: Counterparts) -> bool:
    """Test if the trees have the words of an edit; an explanation from a file may be of others."""
    sizes = len(between.first), len(between.second)
    return all(
        0 <= at < size
        for words, size in zip(edit.sides, sizes, strict=True)
        for at in (*words.marks, *words.tokens)
    )


def have_moved(edits: Sequence[Edit]) -> bool:
    """Test if words of several edits changed their order, or one of them its role."""
    places = sorted((edit.before.tokens[:1], edit.after.tokens[:1]) for edit in edits)
    after = [place for _, place in places]
    exchanged = any(edit.before.role != edit.after.role for edit in edits)
    return len(edits) < 2 or exchanged or after != sorted(after)


def correspond(edits: Iterable[Edit], explanation: Explanation) -> bool:
    """Test if the words of edits that name a relation of two words are so related."""
    related = [
        edit for edit in edits if edit.kind in RELATING and all(s.tokens for s in edit.sides)
    ]
    between = counterparts(explanation) if related else None
    return between is None or all(
        _is_modal(edit, between)
        if edit.kind is Kind.MODALITY
        else between.opposed(at1, at2, edit.confidence)
        or (not between.is_open and between.value_place(at1, at2))
        for edit in related
        if fits(edit, between)
        for at1, at2 in [(edit.before.tokens[0], edit.after.tokens[0])]
    )


def is_stated(edit: Edit, between: Counterparts, first: Side, second: Side) -> bool:
    """Test if an edit is stated by its kind, instead of its words."""
    if edit.kind.evidence is None and edit.kind not in wording("with_both"):
        return False
    clauses = edit.kind is Kind.CROSSED and len(edit.before.tokens) > 1
    if edit.kind.evidence in (Evidence.PLACE, Evidence.ORDER) and (
        edit.confidence < SURE
        or (not clauses and any(first.tree[at].pos == "VERB" for at in edit.before.tokens))
    ):
        return False
    if edit.kind is Kind.NAME and any(
        written(side.tree, [at]) in other.tree.text
        for words, side, other in zip(edit.sides, (first, second), (second, first), strict=True)
        for at in words.tokens[-1:]
    ):
        return False
    if any(
        side.tree[at].lemma in DENIED
        for words, side in zip(edit.sides, (first, second), strict=True)
        for at in words.tokens[:1]
    ):
        return False
    if edit.kind is Kind.NEGATION_PARITY and edit.before.tokens and edit.after.tokens:
        return False
    if edit.kind is Kind.NEGATION and between.is_open and not _denies_alike(edit, between):
        return False
    if edit.kind in (Kind.NEGATION, Kind.NEGATION_PARITY) and all(
        any(token.lemma in DENIALS for token in side.tree) for side in (first, second)
    ):
        return bool(edit.before.anchor is not None and edit.after.anchor is not None)
    if edit.kind is Kind.PREPOSITION and any(
        words.marks and words.tokens and max(words.marks) > min(words.tokens)
        for words in edit.sides
    ):
        return False
    if edit.kind is Kind.CONVERSION and not all(
        says_alike(first.tree[at1], second.tree[at2])
        for at1, at2 in zip(edit.before.tokens, edit.after.tokens, strict=False)
    ):
        return False
    if edit.kind is Kind.MODALITY and not _is_modal(edit, between):
        return False
    return not _is_elsewhere(edit, between, first, second)


def _denies_alike(edit: Edit, between: Counterparts) -> bool:
    """Test if the word that one sentence denies is one that the other says."""
    return all(
        between.known.get(at1) == at2 or (at1 in between.equal[0] and at2 in between.equal[1])
        for at1, at2 in zip(edit.before.tokens, edit.after.tokens, strict=False)
    )


def _is_modal(edit: Edit, between: Counterparts) -> bool:
    """Test if both sentences have one verb, with a modal that only one has, or with two modals; "to
    dine" may have the sense of "would dine".
    """
    trees, verbs = (between.first, between.second), list[Token]()
    if between.is_open and not all(words.marks for words in edit.sides):
        return False
    for words, tree, other in zip(edit.sides, trees, trees[::-1], strict=True):
        marks = [tree[at].lemma for at in words.marks]
        if marks and all(
            any(one.lemma == mark and one.pos == "AUX" for one in other) for mark in marks
        ):
            return False
        if not words.tokens:
            return False
        at = words.tokens[-1]
        infinitive = any(tree[child].lemma == "to" for child in tree.children(at))
        if not marks and (infinitive or tree[at].pos not in ("VERB", "AUX", "ADJ")):
            return False
        verbs.append(tree[at])
    return says_alike(*verbs)


def _has_one_verb(edit: Edit, between: Counterparts) -> bool:
    """Test if words depend on one verb in both sentences."""
    verbs = [
        tree[words.anchor].lemma if words.anchor is not None and words.anchor < len(tree) else ""
        for words, tree in zip(edit.sides, (between.first, between.second), strict=True)
    ]
    return verbs[0] == verbs[1] != ""


def _is_elsewhere(edit: Edit, between: Counterparts, *sides: Side | None) -> bool:
    """Test if opposites, or two values among several, have other places in their sentences, or if
    words moved in sentences that say much else.
    """
    tokens = edit.before.tokens, edit.after.tokens
    if edit.kind is Kind.OPPOSITE and all(tokens):
        return not between.opposed(tokens[0][0], tokens[1][0], edit.confidence)
    if edit.kind.evidence in (Evidence.PLACE, Evidence.ORDER):
        return any(between.unlike) and not (
            edit.kind in ROLES and not between.is_open and _has_one_verb(edit, between)
        )
    if edit.kind.evidence is not Evidence.NUMBER or not all(tokens):
        return False
    both = zip(sides, edit.sides, strict=True)
    if not between.is_open and all(
        side is not None and side.is_only_value(words) for side, words in both
    ):
        return False
    return not between.value_place(tokens[0][0], tokens[1][0])
