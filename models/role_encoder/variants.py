"""Sentences made from a sentence by its parse: what moves its words about, and what changes them.

    exchange    two phrases, nouns, adjectives, numbers or verbs in each other's place, at any depth
    recast      the same said otherwise: passive, cleft, dative, a phrase put first, "B and A"
    replace     a word by an opposite, one of its kind or any other; a synonym
    deny        negation

Each maker takes a tree and a generator of random numbers, and gives (kind, sentence) pairs. What a
variant is worth is not decided here but by the comparison (``pairs.py``); those in ``RECAST`` mean
the same by the way they are made.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks.corpora.clause import Clause, Piece, clause_of, edited, written
from benchmarks.corpora.distractors import distractors
from benchmarks.corpora.inflection import inflected, is_plural, object_case, tense
from benchmarks.corpora.relations import negated, passive, predicative
from hybridsem.parsers.trees.clauses import Phrases
from hybridsem.structures import DependencyTree
from models.lexicon.tables import pos_of, read

RECAST = frozenset(
    {"passive", "cleft", "dative", "fronted", "conjuncts", "predicative", "converse"}
)
"""Kinds that mean what the sentence means."""
GARBLED = frozenset({"deletion", "masking", "span", "reordering"})
"""Kinds that are no sentences any more; no parse says what they are worth."""

NOMINAL = ("NOUN", "PROPN")
PLACES = frozenset({"nsubj", "nsubj:pass", "obj", "iobj", "obl", "nmod", "obl:agent", "conj"})
OPEN = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
FRONTED = ("in", "on", "at", "during", "after", "before", "near")
LONGEST = 12
"""Words of a phrase that is moved."""
LEFT = ("case", "conj", "cc", "punct", "acl", "appos", "parataxis")
"""Dependents that are not moved with it."""

Variant = tuple[str, str]


@dataclass(frozen=True)
class Lexicon:
    """Words by (lemma, part of speech): opposites, synonyms, others of their kind; and all words
    that were met, by their tag.
    """

    opposites: dict[tuple[str, str], list[str]]
    synonyms: dict[tuple[str, str], list[str]]
    kin: dict[tuple[str, str], list[str]]
    met: dict[str, list[str]] = field(default_factory=dict)


def read_lexicon(folder: Path, counts: Mapping[str, int]) -> Lexicon:
    """The relations of usual words, from Open English WordNet's tables.

    ``counts`` are those of words in running text; a word that is not there is too rare to be put
    into a sentence.
    """
    net = read(folder)
    members = {
        key: [word for word in words if word in counts] for key, words in net.members.items()
    }
    of_kind: defaultdict[str, list[str]] = defaultdict(list)
    for synset, hypernyms in net.hypernyms.items():
        of_kind[" ".join(hypernyms)].append(synset)
    found = Lexicon(*(defaultdict(list) for _ in range(3)))
    for (word, part, sense), (other, _, number) in net.antonyms:
        if sense == number == 1 and word in counts and other in counts:
            found.opposites[word, part].append(other)
    for synset, words in members.items():
        part, kind = pos_of(synset), " ".join(net.hypernyms[synset])
        siblings = [one for one in of_kind[kind] if kind and one != synset]
        near = [word for one in siblings for word in members[one]]
        for word in words:
            if 1 < len(words) <= 4:
                found.synonyms[word, part].extend(w for w in words if w != word)
            found.kin[word, part].extend(n for n in near if n not in words)
    return found


def variants(
    tree: DependencyTree, lexicon: Lexicon, random: np.random.Generator, most: Mapping[str, int]
) -> list[Variant]:
    """Some variants of a sentence: at most so many of each family, drawn at random.

    Args:
        tree: The sentence.
        lexicon: Words to put in.
        random: Draws.
        most: By family: ``exchange``, ``recast``, ``replace``, ``deny``, ``garble``.
    """
    clause = clause_of(tree)
    denied = None if clause is None else negated(clause)
    families: dict[str, list[Variant]] = {
        "exchange": [*_exchanges(tree)],
        "recast": [*recast(tree, clause)],
        "replace": [*_replacements(tree, lexicon, random)],
        "deny": [] if denied is None else [("negation", denied.text)],
        "garble": [*distractors(tree, int(random.integers(1 << 30))).items()],
    }
    families["garble"] = [one for one in families["garble"] if one[0] in GARBLED]
    found: dict[str, str] = {}
    for family, made in families.items():
        limit = most.get(family, 0)
        order = random.permutation(len(made))
        by_kind = sorted(order, key=lambda i: sum(made[j][0] == made[i][0] for j in order))
        for i in (by_kind if family == "exchange" else order)[:limit]:
            kind, text = made[i]
            if text != tree.text:
                found.setdefault(text, kind)
    return [(kind, text) for text, kind in found.items()]


def _exchanges(tree: DependencyTree) -> Iterator[Variant]:
    phrases = Phrases(tree)
    nouns = [i for i, token in enumerate(tree) if token.pos in NOMINAL and token.text.isalpha()]
    for a, b in combinations([i for i in nouns if tree[i].relation in PLACES], 2):
        if phrases.lower[a] == phrases.lower[b] or not _same_number(phrases, a, b):
            continue
        first, second = _moved(phrases, a), _moved(phrases, b)
        if not first or not second or first[-1] >= second[0]:
            continue
        core = {"nsubj", "nsubj:pass", "obj", "iobj", "obl:agent"}
        both = {phrases.relation[a], phrases.relation[b]} <= core
        yield ("roles" if both else "phrases"), _swapped(tree, first, second)
        if len(first) + len(second) > 2 and not both:
            yield "nouns", _swapped(tree, [a], [b])
    for pos, kind in (("ADJ", "attributes"), ("NUM", "numbers"), ("VERB", "verbs")):
        places = [i for i, token in enumerate(tree) if token.pos == pos and token.text.isalnum()]
        for a, b in combinations(places, 2):
            if phrases.lower[a] == phrases.lower[b] or tree[a].head == tree[b].head >= 0:
                continue
            if pos == "VERB" and not _same_form(phrases, a, b):
                continue
            yield kind, _swapped(tree, [a], [b])


def _moved(phrases: Phrases, head: int) -> list[int]:
    """The words of a phrase without its preposition and what is joined to it, if they are one
    piece.
    """
    left = [child for child in phrases.children(head) if phrases.base[child] in LEFT]
    out = {word for child in left for word in phrases.subtree(child)}
    words = [i for i in phrases.subtree(head) if i not in out]
    whole = words[-1] - words[0] + 1 == len(words)
    return words if whole and len(words) <= LONGEST else []


def _same_number(phrases: Phrases, *words: int) -> bool:
    return len({is_plural(phrases.lower[i], phrases.lemma[i]) for i in words}) == 1


def _same_form(phrases: Phrases, a: int, b: int) -> bool:
    ends = [phrases.lower[i].endswith("ing") for i in (a, b)]
    if any(ends):
        return all(ends)
    forms = [tense(phrases.lower[i], phrases.lemma[i]) for i in (a, b)]
    return forms[0] == forms[1] is not None


def _swapped(tree: DependencyTree, first: Sequence[int], second: Sequence[int]) -> str:
    between = range(first[-1] + 1, second[0])
    rest = range(second[-1] + 1, len(tree))
    return written(tree, [*range(first[0]), *second, *between, *first, *rest])


def recast(tree: DependencyTree, clause: Clause | None) -> Iterator[Variant]:
    """The sentence said otherwise."""
    yield from _conjuncts(tree)
    if clause is None:
        return
    for kind, maker in (("passive", passive), ("predicative", predicative)):
        if (made := maker(clause)) is not None:
            yield kind, made.text
    for kind, pieces in (*_clefts(clause), *_datives(clause), *_fronted(clause)):
        yield kind, written(tree, pieces)


def _conjuncts(tree: DependencyTree) -> Iterator[Variant]:
    phrases = Phrases(tree)
    for b, token in enumerate(tree):
        a = token.head
        if token.relation != "conj" or a < 0 or tree[a].pos != token.pos or token.pos == "VERB":
            continue
        joined = [c for c in phrases.children(b) if phrases.base[c] == "cc"]
        if len(joined) != 1 or phrases.lower[joined[0]] not in ("and", "or"):
            continue
        if sum(phrases.base[c] == "conj" for c in phrases.children(a)) > 1:
            continue
        first, second = _moved(phrases, a), _moved(phrases, b)
        if first and second and first[-1] < joined[0] < second[0]:
            yield "conjuncts", _swapped(tree, first, second)


def _clefts(clause: Clause) -> Iterator[tuple[str, list[Piece]]]:
    tree, end = clause.tree, len(clause.tree) - 1
    be = "was" if clause.tense == "VBD" else "is"
    if tree[clause.predicate].pos != "VERB" or tree[clause.subject].pos not in NOMINAL:
        return
    subject = clause.subject_words
    yield "cleft", ["it", be, *subject, "that", *range(len(subject), end), end]
    for noun in clause.of(clause.predicate, "obj"):
        words = clause.subtree(noun)
        if tree[noun].pos in NOMINAL and len(words) <= LONGEST:
            body = [i for i in range(end) if i not in words]
            yield "cleft", ["it", be, *words, "that", *body, end]


def _datives(clause: Clause) -> Iterator[tuple[str, list[Piece]]]:
    tree, verb, lemma = clause.tree, clause.predicate, clause.lemma[clause.predicate]
    receivers = [c for c in clause.children(verb) if clause.relation[c] == "iobj"]
    things = clause.of(verb, "obj")
    if len(receivers) != 1 or len(things) != 1 or receivers[0] > things[0]:
        return
    to, thing = clause.subtree(receivers[0]), clause.subtree(things[0])
    if to[-1] + 1 != thing[0] or lemma in ("ask", "cost", "call", "name", "make"):
        return
    preposition = "for" if lemma in ("buy", "cook", "find", "get", "bake") else "to"
    pronoun = tree[receivers[0]].pos == "PRON"
    receiver: Sequence[Piece] = [object_case(tree[to[0]].text)] if pronoun else to
    rest = range(thing[-1] + 1, len(tree))
    yield "dative", [*range(to[0]), *thing, preposition, *receiver, *rest]


def _fronted(clause: Clause) -> Iterator[tuple[str, list[Piece]]]:
    end = len(clause.tree) - 1
    for phrase in clause.of(clause.predicate, "obl"):
        words = clause.subtree(phrase)
        last = words == tuple(range(words[0], end)) and 1 < len(words) <= LONGEST
        plain = clause.relation[phrase] == "obl" and clause.preposition(phrase) in FRONTED
        if last and plain:
            yield "fronted", [*words, ",", *range(words[0]), end]


def _replacements(
    tree: DependencyTree, lexicon: Lexicon, random: np.random.Generator
) -> Iterator[Variant]:
    phrases = Phrases(tree)
    for i, token in enumerate(tree):
        part, tag = OPEN.get(token.pos), _tag(phrases, i)
        if part is None or tag is None or not token.text.isalpha():
            continue
        key = phrases.lemma[i], part
        others = {
            "opposite": lexicon.opposites.get(key, ()),
            "synonym": lexicon.synonyms.get(key, ()),
            "kind": lexicon.kin.get(key, ()),
            "other": lexicon.met.get(token.pos, ()),
        }
        for kind, lemmas in others.items():
            if not lemmas:
                continue
            lemma = lemmas[int(random.integers(len(lemmas)))]
            form = lemma if tag == "" else inflected(lemma, tag)
            fits = form and form != phrases.lower[i] and re.fullmatch("[a-z]+", form)
            # Many words have kin, and all have others; few have opposites.
            if fits and (kind in ("opposite", "synonym") or random.random() < 0.4):
                yield kind, edited(tree, {i: (str(form),)})


@cache
def _verb_tag(form: str, lemma: str) -> str | None:
    if form.endswith("ing"):
        return "VBG"
    found = tense(form, lemma)
    if found is not None:
        return "" if found == "VBP" else found
    return "VBN" if form == inflected(lemma, "VBN") else None


def _tag(phrases: Phrases, i: int) -> str | None:
    """What a lemma has to be inflected to in place of a word: a Penn tag, "" for not at all."""
    pos, form, lemma = phrases.tokens[i].pos, phrases.lower[i], phrases.lemma[i]
    if pos == "NOUN":
        return "NNS" if is_plural(form, lemma) and form != lemma else "" if form == lemma else None
    if pos == "VERB":
        return _verb_tag(form, lemma)
    return "" if form == lemma else None
