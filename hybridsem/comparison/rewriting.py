"""Trees of constructions with one meaning, rewritten to one form before they are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from hybridsem.comparison.constructions import Recast, recast
from hybridsem.comparison.features import QUANTIFIERS
from hybridsem.english.numbers import UNITS, number_value
from hybridsem.english.signatures import DENIALS, Complement
from hybridsem.structures import Token

MANAGE = "manage"
"""The verb whose complement happens: "he managed to come"."""
NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})


class RewrittenTree(NamedTuple):
    """The tokens of a rewritten tree.

    ``complements`` maps verbs such as "fail" to their complement, ``subjects`` former predicates
    ("under the table") to their subject, and ``compared_subjects`` adverbs before "than" to the
    subject of their clause. ``recast`` has the earlier changes.
    """

    tokens: Sequence[Token]
    complements: Mapping[int, int]
    subjects: Mapping[int, int]
    compared_subjects: Mapping[int, int]
    recast: Recast
    canonical: Sequence[Token]


def rewrite(tokens: Sequence[Token]) -> RewrittenTree:
    """Rewrite implied verbs, partitives, predicates with a preposition, comparisons, and the
    constructions of ``constructions.py``.
    """
    tree = recast(tokens)
    tokens = tree.tokens
    relations = {token.relation for token in tokens}
    complements: dict[int, int] = {}
    subjects: dict[int, int] = {}
    if "xcomp" in relations:
        tokens, complements = _rewrite_implied(tokens)
    if "nmod" in relations:
        tokens = _rewrite_partitives(tokens)
    canonical = tokens
    if "cop" in relations:
        tokens, subjects = _rewrite_located(tokens)
    tokens, compared_subjects = _rewrite_compared(tokens) if "case" in relations else (tokens, {})
    return RewrittenTree(tokens, complements, subjects, compared_subjects, tree, canonical)


def _rewrite_implied(tokens: Sequence[Token]) -> tuple[Sequence[Token], dict[int, int]]:
    """Rewrite "he failed to come" as "he did not come", and "managed to come" as "came"; return the
    complements of such verbs too.
    """
    complements: dict[int, int] = {}
    for i, token in enumerate(tokens):
        above = tokens[token.head] if token.relation == "xcomp" else None
        if above is not None and above.pos == "VERB" and token.pos == "VERB":
            form = Complement.ING if token.text.endswith("ing") else Complement.TO
            if i and tokens[i - 1].text.lower() == "from":
                form = Complement.FROM
            lemma = above.lemma.lower()
            if lemma == MANAGE or (lemma, form) in DENIALS:
                complements.setdefault(token.head, i)
    if complements:
        tokens = [
            replace(token, head=complements[token.head])
            if complements.get(token.head, i) != i
            else token
            for i, token in enumerate(tokens)
        ]
        for verb, complement in complements.items():
            above = tokens[verb]
            tokens[complement] = replace(
                tokens[complement], head=above.head, relation=above.relation
            )
            tokens[verb] = replace(above, head=complement, relation="aux")
    return tokens, complements


def _rewrite_partitives(tokens: Sequence[Token]) -> Sequence[Token]:
    """Rewrite "both of the boys" as "both the boys"."""
    found = list(tokens)
    for i, token in enumerate(tokens):
        head = token.head
        if token.relation != "nmod" or tokens[head].lemma.lower() not in QUANTIFIERS:
            continue
        of = next((c for c, t in enumerate(tokens) if t.head == i and t.relation == "case"), None)
        if of is None or tokens[of].text.lower() != "of" or tokens[head].pos in NOMINAL - {"PRON"}:
            continue
        found[i] = replace(token, head=found[head].head, relation=found[head].relation)
        for c, dependent in enumerate(tokens):
            if dependent.head == head and c != i:
                found[c] = replace(dependent, head=i)
        found[head] = replace(tokens[head], head=i, relation="det")
        found[of] = replace(tokens[of], head=head, relation="fixed")
    return found


def _rewrite_located(tokens: Sequence[Token]) -> tuple[Sequence[Token], dict[int, int]]:
    """Rewrite "the cat is under the table" as "the cat under the table"; return the subjects of the
    former predicates too.
    """
    subjects: dict[int, int] = {}
    copular = {token.head for token in tokens if token.relation == "cop"}
    marked = {token.head for token in tokens if token.relation == "case"}
    for i, token in enumerate(tokens):
        if token.relation == "nsubj" and token.head in copular & marked:
            subjects.setdefault(token.head, i)
    tokens = list(tokens)
    for predicate, subject in subjects.items():
        above = tokens[predicate]
        tokens[subject] = replace(tokens[subject], head=above.head, relation=above.relation)
        tokens[predicate] = replace(above, head=subject, relation="nmod")
    return tokens, subjects


def _rewrite_compared(tokens: Sequence[Token]) -> tuple[Sequence[Token], dict[int, int]]:
    """Attach the phrase with "than" to the adverb of "she came later than he"; return the subjects
    of the clauses of such adverbs too.
    """
    found = list(tokens)
    subjects: dict[int, int] = {}
    standards = [t.head for t in tokens if t.relation == "case" and t.text.lower() == "than"]
    for standard in standards:
        for i in range(standard):
            adverb, verb = tokens[i], tokens[i].head
            graded = adverb.lemma.lower() != adverb.text.lower() or (
                i > 0 and tokens[i - 1].text.lower() in ("more", "less")
            )
            under = adverb.relation == "advmod" and tokens[standard].head in (i, verb)
            if graded and under and adverb.pos == "ADV":
                for subject, token in enumerate(tokens):
                    if token.head == verb and token.relation.startswith("nsubj"):
                        subjects[i] = subject
                        found[standard] = replace(tokens[standard], head=i, relation="obl")
    return found, subjects


def read_numbers(
    tokens: Sequence[Token], relations: Sequence[str], lemmas: list[str]
) -> tuple[dict[int, float], set[int]]:
    """Return the values of numbers by their tokens, and the tokens within a number of several.

    The last token of "5 million" has all its value. Measures are converted to base units, in the
    ``lemmas`` too: two kilometres are 2,000 metres.
    """
    numbers = {}
    for i, token in enumerate(tokens):
        if token.pos == "NUM" or token.text[0].isdigit():
            value = number_value(token.text)
            if value is not None:
                unit = UNITS.get(lemmas[token.head]) if relations[i] == "nummod" else None
                numbers[i] = value if unit is None else value * unit[1]
    for i in numbers:
        if relations[i] == "nummod" and (unit := UNITS.get(lemmas[tokens[i].head])):
            lemmas[tokens[i].head] = unit[0]
    parts: set[int] = set()
    for i in sorted(numbers):
        if i + 1 in numbers and tokens[i].head == i + 1 and tokens[i].relation != "nummod":
            value = number_value(f"{tokens[i].text} {tokens[i + 1].text}")
            if value is not None:
                numbers[i + 1] = value
                parts.add(i)
    return numbers, parts
