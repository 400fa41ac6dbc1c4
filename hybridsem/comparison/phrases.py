"""Phrases as units: those of two sentences that say something that the other says in other words.

    called the vote off | cancelled the vote     one verb, of which "vote" is the object
    took a decision     | decided                what belongs to "decision" belongs to "took"
    in spite of rain    | despite rain           one preposition of "rain"

A phrase without a counterpart is compared word by word. A unit has the lemma and tag of its
equivalent, so that both are one word for the rest of the comparison, and for the judge; units with
other relations have these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, product
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from hybridsem._utils.latest import keep_latest
from hybridsem.comparison.alignment import share_governor
from hybridsem.comparison.features import BOUNDS, DENYING, QUANTIFIERS, function_words_of
from hybridsem.comparison.folding import FOLDED, Unit
from hybridsem.comparison.logic import Relation
from hybridsem.comparison.sentence import Attachment, Sentence
from hybridsem.english.lexicon import CACHED_PAIRS, POS, LexicalRelation, Related
from hybridsem.english.words import ARTICLES
from hybridsem.phrases import Meaning, PhraseLexicon
from hybridsem.phrases.matching import HYPHENS
from hybridsem.structures import DependencyTree, Phrase, Token

RELATIONS = MappingProxyType(
    {
        "equivalent": Relation.EQUIVALENT,
        "more specific": Relation.FORWARD,
        "more general": Relation.REVERSE,
        "opposite": Relation.ALTERNATION,
        "converse": Relation.INDEPENDENT,
    }
)
"""The relations of natural logic by those of the lexicon."""
LEXICAL = MappingProxyType(
    {
        Relation.EQUIVALENT: LexicalRelation.SYNONYM,
        Relation.FORWARD: LexicalRelation.HYPONYM,
        Relation.REVERSE: LexicalRelation.HYPERNYM,
        Relation.ALTERNATION: LexicalRelation.ANTONYM,
        Relation.INDEPENDENT: LexicalRelation.CONVERSE,
    }
)
"""The same as relations of words."""
MARKING = frozenset("pc")
"""The categories of phrases that mark another word."""
CATEGORIES = MappingProxyType({**POS, "ADP": "p", "SCONJ": "c", "INTJ": "d"})
LOGICAL = (DENYING | BOUNDS.keys() | QUANTIFIERS.keys()) - ARTICLES
"""Words and phrases that are compared by what they deny or count."""
COPULAS = frozenset({"cop", "aux:pass"})
"""Relations of verbs that are part of a predicate: "is aware of", "was born"."""
NOMINAL = frozenset({"nmod", "compound", "amod", "obl"})
"""Relations of words that are no predicate."""
TAGS = MappingProxyType({"v": "VERB", "p": "ADP", "c": "SCONJ", "r": "ADV", "d": "ADV"})
"""The tags of phrases of some categories."""
ALIKE = frozenset({frozenset("rd"), frozenset("pc")})
"""Categories that one phrase may have in different sentences."""
UNFOLDED = MappingProxyType({"nmod": "obl", "amod": "advmod", "acl": "xcomp"})
"""The relations to a verb of what belonged to its noun."""
BOUND = frozenset({"det", "nummod", "conj", "cc", "appos", "acl:relcl"})
"""Relations to a word that leaves it a word of its own: "took two decisions"."""

Link = tuple[Phrase, Phrase, Meaning]


class UnitRelation(NamedTuple):
    """The relation of one unit to another, and the confidence in it."""

    relation: Relation
    confidence: float

    @property
    def inverted(self) -> UnitRelation:
        """The relation of the second unit to the first."""
        return UnitRelation(self.relation.inverted, self.confidence)


class Linked(NamedTuple):
    """Two sentences with their related phrases as units, the positions that their words had before,
    and the relations of the units by their heads.
    """

    first: Sentence
    second: Sentence
    kept: tuple[list[int], list[int]]
    relations: Mapping[tuple[int, int], UnitRelation]

    def related(self) -> dict[tuple[int, int], Related]:
        """Return the relations of the content words by their positions."""
        position1, position2 = self.first.position, self.second.position
        return {
            (position1[one], position2[two]): (LEXICAL[relation], confidence)
            for (one, two), (relation, confidence) in self.relations.items()
            if one in position1 and two in position2
        }


def phrases_in(tokens: Sequence[Token], lexicon: PhraseLexicon) -> list[Phrase]:
    """Return the phrases of a tree; a gap has no punctuation but hyphens."""
    lemmas, forms = [token.lemma.lower() for token in tokens], [token.text for token in tokens]
    heads = [token.head for token in tokens]
    return [
        phrase
        for phrase in lexicon.phrases(lemmas, forms, [token.pos for token in tokens], heads)
        if not any(
            tokens[at].pos == "PUNCT" and forms[at] not in HYPHENS and at not in phrase.tokens
            for at in range(phrase.tokens[0], phrase.tokens[-1])
        )
    ]


def read_phrases(
    tokens: Sequence[Token],
    canonical: Sequence[Token],
    units: Mapping[int, Unit],
    lexicon: PhraseLexicon,
) -> Iterator[Phrase]:
    """Yield the phrases of a tree that can be units. ``units`` are those of its facts."""
    for phrase in phrases_in(tokens, lexicon):
        if phrase.key not in LOGICAL and not any(
            tokens[at].lemma.lower() in LOGICAL
            or canonical[at].text != tokens[at].text
            or any(at in unit.tokens for unit in units.values())
            for at in phrase.tokens
        ):
            yield from _whole(phrase, canonical)


def _whole(phrase: Phrase, tokens: Sequence[Token]) -> Iterator[Phrase]:
    """Yield a phrase with its articles, if it has one head and no word with a place of its own."""
    head = phrase.head
    if tokens[head].relation in COPULAS and tokens[head].head in phrase.tokens:
        head = tokens[head].head
    inner = {*phrase.tokens} - {head}
    tense = any(tokens[at].relation == "aux" for at in inner)  # "had fought" is no "have a fight"
    nominal = phrase.category == "v" and tokens[head].relation in NOMINAL
    if tokens[head].head in phrase.tokens or tense or nominal:
        return
    below = [at for at, token in enumerate(tokens) if token.head in inner and at not in inner]
    articles = {at for at in below if tokens[at].lemma.lower() in ARTICLES}
    if not any(tokens[at].relation in BOUND for at in below if at not in articles):
        yield replace(phrase, head=head, tokens=tuple(sorted(articles.union(phrase.tokens))))


def link_phrases(first: Sentence, second: Sentence, lexicon: PhraseLexicon) -> Linked | None:
    """Return two sentences with their related phrases as units; None if they have none."""
    if not (first.phrases or second.phrases):  # usual, and quick
        return None
    relations = {}
    sides = first, second
    for one, two, meaning in _links(first, second, lexicon):
        words = _word(sides[0], one), _word(sides[1], two)
        if meaning.relation == "equivalent":
            words = (min(words),) * 2
        folded1, folded2 = _fold(sides[0], one, words[0]), _fold(sides[1], two, words[1])
        if folded1 is not None and folded2 is not None:
            sides = folded1, folded2
            relation = RELATIONS[meaning.relation]
            relations[one.head, two.head] = UnitRelation(relation, meaning.precision)
    if not relations:
        return None
    kept1, kept2 = (
        [i for i, token in enumerate(before.words) if token in after.position]
        for before, after in zip((first, second), sides, strict=True)
    )
    return Linked(*sides, (kept1, kept2), relations)


def _links(first: Sentence, second: Sentence, lexicon: PhraseLexicon) -> Iterator[Link]:
    """Yield related phrases, each once: the equivalent first, then the longest."""
    words1, words2 = _words(first), _words(second)
    keys1 = {phrase.key for phrase in chain(first.phrases, words1)}
    keys2 = {phrase.key for phrase in chain(second.phrases, words2)}
    links: list[Link] = []
    for one, two in chain(
        product(first.phrases, chain(second.phrases, words2)), product(words1, second.phrases)
    ):
        categories = frozenset((one.category, two.category))
        if one.key in keys2 or two.key in keys1:
            continue
        if len(categories) > 1 and categories not in ALIKE:
            continue
        meaning = _meaning(lexicon, one.key, two.key, one.category)
        if meaning is not None and (
            meaning.relation != "opposite" or _same_place(first, second, one.head, two.head)
        ):
            links.append((one, two, meaning))
    taken: tuple[set[int], set[int]] = set(), set()
    for one, two, meaning in sorted(links, key=_rank):
        if taken[0].isdisjoint(one.tokens) and taken[1].isdisjoint(two.tokens):
            taken[0].update(one.tokens)
            taken[1].update(two.tokens)
            yield one, two, meaning


def _same_place(first: Sentence, second: Sentence, head1: int, head2: int) -> bool:
    """Test if two content words have a governor of the same lemma, or both have none."""
    i, j = first.position.get(head1), second.position.get(head2)
    return i is not None and j is not None and share_governor(first, second, i, j)


def _rank(link: Link) -> tuple[bool, int, float, Sequence[int], Sequence[int]]:
    one, two, meaning = link
    length = len(one.tokens) + len(two.tokens)
    return meaning.relation != "equivalent", -length, -meaning.precision, one.tokens, two.tokens


_meaning = lru_cache(CACHED_PAIRS)(PhraseLexicon.meaning)


@keep_latest
def _words(sentence: Sentence) -> list[Phrase]:
    """Return the words that are no phrase as phrases of one word."""
    known = {at for phrase in sentence.phrases for at in phrase.tokens} | sentence.units.keys()
    return [
        Phrase(sentence.lemmas[at], (at,), at, CATEGORIES[tag])
        for at, tag in enumerate(sentence.tags)
        if tag in CATEGORIES and at not in known
    ]


class _Word(NamedTuple):
    """The word as which a phrase is read, and the number of words that it has."""

    length: int
    lemma: str
    tag: str


def _word(sentence: Sentence, phrase: Phrase) -> _Word:
    length, head = len(phrase.key.split()), phrase.head
    own = "NOUN" if sentence.tags[head] == "PROPN" else sentence.tags[head]
    tag = own if length == 1 else TAGS.get(phrase.category, own)
    return _Word(length, phrase.key if length > 1 else sentence.lemmas[head], tag)


def _fold(sentence: Sentence, phrase: Phrase, word: _Word) -> Sentence | None:
    """Return a sentence with a phrase as a unit that is read as a word; None if that is no content
    word, or marks none.
    """
    inner = frozenset(phrase.tokens) - {phrase.head}
    prepositions, connectives = list(sentence.prepositions), list(sentence.connectives)
    gone, tree = inner, sentence.tree
    if phrase.category in MARKING:
        if (marked := _marked(sentence, phrase)) is None:
            return None
        gone |= {phrase.head}
        places = _remarked(sentence, phrase, marked, word.lemma)
        which = connectives if connectives[marked] else prepositions
        which[marked] = word.lemma
        tree = None if tree is None else _marker_folded(tree, phrase, inner, word, marked)
    elif phrase.head not in sentence.position:
        return None
    else:
        places = _moved(sentence, phrase.head, inner)
        tree = None if tree is None else _folded(tree, phrase.head, inner, word)
    if tree is not None and not tree.is_tree():
        return None
    lemmas, tags = list(sentence.lemmas), list(sentence.tags)
    for at in inner:
        lemmas[at], tags[at], prepositions[at], connectives[at] = "", "X", None, None
    lemmas[phrase.head], tags[phrase.head] = word.lemma, word.tag
    kept = [i for i, token in enumerate(sentence.words) if token not in gone]
    words = tuple([sentence.words[i] for i in kept])
    weights = [
        max([sentence.word_weights[i] for i in _within(sentence, phrase)])
        if token == phrase.head
        else sentence.word_weights[sentence.position[token]]
        for token in words
    ]
    return replace(
        sentence,
        words=words,
        weights=np.array(weights),
        places=tuple([places[token] for token in words]),
        coordinated=tuple([sentence.coordinated[i] for i in kept]),
        numbers=tuple([sentence.numbers[i] for i in kept]),
        lemmas=tuple(lemmas),
        tags=tuple(tags),
        prepositions=tuple(prepositions),
        connectives=tuple(connectives),
        function_words=function_words_of(words, lemmas),
        particles=sentence.particles - {sentence.lemmas[at] for at in inner},
        tree=tree,
        units={**sentence.units, phrase.head: Unit(phrase.tokens, None, phrase=True)},
    )


def _within(sentence: Sentence, phrase: Phrase) -> list[int]:
    """Return the positions of the content words of a phrase."""
    return [sentence.position[at] for at in phrase.tokens if at in sentence.position]


def _moved(
    sentence: Sentence, head: int, inner: frozenset[int]
) -> dict[int, tuple[Attachment, ...]]:
    """Return the places of words with a unit's head for its other words. Its object is what its
    noun had with "of", or what its verb had with a preposition of the unit: "put up with noise".
    """
    given = dict(zip(sentence.words, sentence.places, strict=True))
    objects = {sentence.lemmas[at] for at in inner}
    inside = chain.from_iterable(given.get(at, ()) for at in inner)
    if any(place.governor == head and place.syntax == "object" for place in inside):
        objects.add("iobj")  # "gave him a call"
    moved = {}
    for token, places in given.items():
        known = {place.governor for place in places} | {token}
        own = []
        for governor, relation, syntax in places:
            if governor not in inner:
                is_object = governor == head and syntax in objects
                own.append(Attachment(governor, relation, "object" if is_object else syntax))
            elif head not in known:
                own.append(Attachment(head, relation, "object" if syntax == "of" else syntax))
        moved[token] = tuple(own)
    return moved


def _marked(sentence: Sentence, phrase: Phrase) -> int | None:
    """Return the word that a preposition or conjunction marks."""
    lemmas = {sentence.lemmas[at] for at in phrase.tokens}
    for token, places in zip(sentence.words, sentence.places, strict=True):
        marks = sentence.prepositions[token] or sentence.connectives[token] or ""
        own = {*marks.split()}
        below = any(place.governor in phrase.tokens for place in places)
        if token > phrase.tokens[-1] and (below or (own and own <= lemmas)):
            return token
    return None


def _remarked(
    sentence: Sentence, phrase: Phrase, marked: int, marker: str
) -> dict[int, tuple[Attachment, ...]]:
    """Return the places of words; a word marked by a phrase has those of the phrase's noun."""
    given = dict(zip(sentence.words, sentence.places, strict=True))
    lemmas = {sentence.lemmas[at] for at in phrase.tokens}
    above = chain.from_iterable(given.get(at, ()) for at in phrase.tokens)
    places = [place for place in chain(above, given[marked]) if place.governor not in phrase.tokens]
    return given | {
        marked: tuple(
            place._replace(syntax=marker) if lemmas.issuperset(place.syntax.split()) else place
            for place in places
        )
    }


def _folded(tree: DependencyTree, head: int, inner: frozenset[int], word: _Word) -> DependencyTree:
    """Return a tree with the other words of a unit folded into its head."""
    cased = {tree[at].head for at in inner if tree[at].relation == "case"}
    tokens = []
    for at, token in enumerate(tree):
        if at in inner:
            token = _silent(token, head)
        elif token.head in inner or (token.head == head and at in cased):
            relation = UNFOLDED.get(token.relation, token.relation)
            token = replace(token, head=head, relation="obj" if at in cased else relation)
        tokens.append(token)
    tokens[head] = replace(tokens[head], lemma=word.lemma, pos=word.tag)
    return replace(tree, tokens=tuple(tokens))


def _marker_folded(
    tree: DependencyTree, phrase: Phrase, inner: frozenset[int], word: _Word, marked: int
) -> DependencyTree:
    """Return a tree with a preposition or conjunction as one word below the word that it marks."""
    head, tokens = phrase.head, list(tree.tokens)
    above = marked
    while tokens[above].head >= 0 and above not in phrase.tokens:
        marked = above if tokens[above].head in phrase.tokens else marked  # "next to each other"
        above = tokens[above].head
    top, below = tokens[head], tokens[marked]
    for at in inner:
        tokens[at] = _silent(tokens[at], head)
    if below.head in phrase.tokens:
        relation = top.relation if below.relation == "nmod" else below.relation
        tokens[marked] = replace(below, head=top.head, relation=relation)
    for at, token in enumerate(tokens):
        if token.head in phrase.tokens and at not in inner and at != marked:
            tokens[at] = replace(token, head=marked)
    relation = "case" if word.tag == "ADP" else "mark"
    marker = replace(top, text=word.lemma, lemma=word.lemma, pos=word.tag)
    tokens[head] = replace(marker, head=marked, relation=relation)
    return replace(tree, tokens=tuple(tokens))


def _silent(token: Token, head: int) -> Token:
    return replace(token, text="", lemma="", pos="X", head=head, relation=FOLDED)
