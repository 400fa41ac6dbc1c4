"""Reads sentences as they are compared, from a structure with a tree or from frames alone."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np

from hybridsem._utils.latest import keep_latest
from hybridsem.comparison.attachments import Attachments
from hybridsem.comparison.features import (
    CACHED_FORMS,
    DENYING,
    FunctionWordFeatures,
    function_words_of,
    is_visible,
)
from hybridsem.comparison.folding import Unit, fold
from hybridsem.comparison.phrases import read_phrases
from hybridsem.comparison.sentence import Attachment, Sentence
from hybridsem.embeddings.arithmetic import word_frequencies
from hybridsem.english.numbers import number_value, read_numbers
from hybridsem.english.questions import asks, tag_question
from hybridsem.english.rules import Rules, shipped
from hybridsem.english.words import not_only
from hybridsem.parsers.trees.clauses import FUNCTION_RELATIONS, base_of
from hybridsem.phrases import PhraseLexicon
from hybridsem.structures import DependencyTree, Role, RoleStructure, Token

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "PRON", "X", "SYM", "INTJ"})
RELATIVES = frozenset({"who", "which", "that"})
CLASS_WEIGHTS = {"PRON": 0.3, "ADV": 0.5}
LEAST = 0.25
"""The weight of the most frequent word; that of rare words is 1."""
RARE = 10.0
"""The information, in nats, from which a word has all its weight."""
HELD = 30_000
"""Sentences that are kept as they were read, while their structures live."""


def informativeness(form: str) -> float:
    """Return the informativeness of a word, in (0, 1], by its frequency in UD English EWT."""
    counts, total = word_frequencies()
    nats = -math.log((counts.get(form, 0) + 0.5) / total)
    return LEAST + (1 - LEAST) * min(1.0, nats / RARE)


@lru_cache(CACHED_FORMS)
def word_weight(form: str, tag: str) -> float:
    """Return the weight of a content word."""
    return CLASS_WEIGHTS.get(tag, 1.0) * informativeness(form)


def read_sentence(structure: RoleStructure) -> Sentence:
    """Read a sentence by its tree and frames, or by frames alone."""
    return reader_with(shipped(), PhraseLexicon.standard())(structure)


@cache
def reader_with(rules: Rules, phrases: PhraseLexicon) -> Callable[[RoleStructure], Sentence]:
    """Return :func:`read_sentence` with other rules or phrases than the shipped ones."""

    def read(structure: RoleStructure) -> Sentence:
        if structure.tree is None:
            return _read_frames(structure)
        return read_tree(structure, structure.tree, rules, phrases)

    return keep_latest(read, size=HELD)


def read_tree(
    structure: RoleStructure, tree: DependencyTree, rules: Rules, phrases: PhraseLexicon
) -> Sentence:
    """Read a sentence by its tree and frames, with rules for its canonical form and phrases that
    may be units.
    """
    folded, units = fold(tree.tokens, tree.text)
    rewritten = rules.rewrite(folded)
    tokens = rewritten.tokens
    relations = [base_of(token.relation) for token in tokens]
    tags = tuple([token.pos for token in tokens])
    # A word in lower case is the same object, which saves memory.
    forms = tuple([w if (w := token.text).islower() else w.lower() for token in tree.tokens])
    own_lemmas = [
        token.lemma.lower()
        if i in units
        else form
        if tag == "PROPN" or (token.relation == "case" and form.endswith("ing"))
        else "who"
        if form == "whom"
        else (w if (w := token.lemma).islower() else w.lower())
        for i, (token, form, tag) in enumerate(zip(tokens, forms, tags, strict=True))
    ]
    for i in not_only(own_lemmas) | tag_question(forms):
        own_lemmas[i] = ""
    facts = [head for head, unit in units.items() if unit.fact is not None]
    numbers = read_numbers(tokens, facts)
    lemmas = tuple(own_lemmas)
    features = FunctionWordFeatures(tokens, relations, lemmas)
    for at in rewritten.negated:
        features.negations[at] += 1
    visible = [i for i, token in enumerate(tokens) if is_visible(token.text)]
    words = [
        i
        for i in visible
        if i in units
        or (
            tags[i] in CONTENT
            and relations[i] not in FUNCTION_RELATIONS
            and lemmas[i] not in DENYING
            and i not in features.absorbed
            and not (lemmas[i] in RELATIVES and tokens[tokens[i].head].relation == "acl:relcl")
        )
    ]
    words = words or visible or list(range(len(tokens)))
    attachments = Attachments(
        rewritten, relations, structure.frames, frozenset(words), features.prepositions
    )
    conjuncts = {i for i, relation in enumerate(relations) if relation == "conj"}
    coordinated = conjuncts | {tokens[i].head for i in conjuncts}
    return Sentence(
        words=tuple(words),
        weights=np.array([_weight(i, forms, tree.tokens, units) for i in words]),
        places=tuple([attachments.of(i) for i in words]),
        coordinated=tuple([i in coordinated for i in words]),
        numbers=tuple([numbers.get(i) for i in words]),
        lemmas=lemmas,
        forms=forms,
        tags=tags,
        prepositions=tuple(features.prepositions),
        connectives=tuple(features.connectives),
        modals=tuple(features.modals),
        quantifiers=tuple(features.quantifiers),
        negations=tuple(features.negations),
        function_words=function_words_of(words, lemmas),
        particles=frozenset(
            [lemmas[i] for i, token in enumerate(tokens) if token.relation == "compound:prt"]
        ),
        question=asks(tree.text),
        tree=replace(tree, tokens=tuple(rewritten.canonical))
        if rewritten.applied or units
        else tree,
        implied=rewritten.implied,
        units=units,
        phrases=tuple(read_phrases(tree.tokens, rewritten.canonical, units, phrases)),
    )


def _weight(
    i: int, forms: Sequence[str], tokens: Sequence[Token], units: Mapping[int, Unit]
) -> float:
    """Return the weight of a content word; that of a unit is the largest of its words."""
    inside = units[i].tokens if i in units else (i,)
    return max([word_weight(forms[at], tokens[at].pos) for at in inside])


def _read_frames(structure: RoleStructure) -> Sentence:
    """Read the words of frames, each once, with the verbs as governors."""
    tags: dict[str, str] = {}
    governors: dict[str, int] = {}
    places: defaultdict[str, dict[Attachment, None]] = defaultdict(dict)
    negations: defaultdict[str, int] = defaultdict(int)
    modals: dict[str, str | None] = {}
    for frame in structure.frames:
        verb = frame.fillers.get(Role.VERB)
        parts = (verb.words if verb is not None else ()) or tuple(frame.predicate.split()) or ("",)
        predicate = parts[0].lower()
        tags.setdefault(predicate, "VERB")
        governor = governors.setdefault(predicate, list(tags).index(predicate))
        negations[predicate] += frame.negated
        modals[predicate] = frame.modality
        for role, filler in frame.fillers.items():
            syntax = "subject" if role == Role.AGENT else "object"
            for word in filler.words if role != Role.VERB else ():
                if word.lower() != predicate:
                    tags.setdefault(word.lower(), "NOUN")
                    places[word.lower()][Attachment(governor, str(role), syntax)] = None
    forms = tuple(tags)
    none = (None,) * len(forms)
    return Sentence(
        words=tuple(range(len(forms))),
        weights=np.array([informativeness(form) for form in forms]),
        places=tuple(tuple(places[form]) for form in forms),
        coordinated=(False,) * len(forms),
        numbers=tuple(number_value(form) if form[:1].isdigit() else None for form in forms),
        lemmas=forms,
        forms=forms,
        tags=tuple(tags.values()),
        prepositions=none,
        connectives=none,
        modals=tuple(modals.get(form) for form in forms),
        quantifiers=none,
        negations=tuple(negations[form] for form in forms),
        function_words=frozenset(),
        particles=frozenset(),
        question=asks(structure.text),
    )
