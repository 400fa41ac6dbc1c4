"""The relations of words and of quantifiers in natural logic.

dog      <  animal        more specific, by WordNet
every    <  most          by what each is true of
no       ^  some          one of the two is true
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from hybridsem._typing import BoolArray
from hybridsem._utils.tables import read_table, spaced
from hybridsem.comparison.logic import ALT, COV, EQ, FWD, IND, NEG, REV, Relation
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.lexicon import POS, LexicalRelation, lexicon
from hybridsem.english.words import MONTHS, PERSONS, WEEKDAYS
from hybridsem.judge.rules import relation_words
from hybridsem.structures import Token

COMPLEMENTARY, EXCLUSIVE = "complementary", "exclusive"
OPPOSITES = {
    name: {
        kind: frozenset(frozenset(spaced(pair)) for pair in pairs.split(","))
        for kind, pairs in table.items()
    }
    for name, table in read_table(__file__).items()
}
NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "non-")
"""With these, adjectives are complementary in use: what is not safe is unsafe."""
CLEAR = 0.3
"""The least frequency of senses whose relation counts as a relation of the words."""
WEAK_KIND = 0.1
OPPOSED = 0.2
"""The least strength of opposites."""


@lru_cache(65_536)
def of_words(word1: str, tag1: str, word2: str, tag2: str) -> tuple[Relation, float]:
    """Return the relation of two lemmas with UPOS tags by WordNet, and its confidence.

    >>> relation, confidence = of_words("dog", "NOUN", "animal", "NOUN")
    >>> str(relation), confidence > 0.5
    ('<', True)
    """
    known = lexicon()
    found, strength = known.relation(word1, tag1, word2, tag2)
    below, above = known.kind_of(word1, tag1, word2, tag2), known.kind_of(word2, tag2, word1, tag1)
    if tag1 == tag2 == "ADJ":  # as nouns, "scarlet" is a kind of "red"
        below, above = (
            0.9 * known.kind_of(a, "NOUN", b, "NOUN") for a, b in ((word1, word2), (word2, word1))
        )
        if max(below, above) >= CLEAR:
            return (FWD, below) if below >= above else (REV, above)
    if found in (LexicalRelation.SAME, LexicalRelation.SYNONYM) and strength >= max(below, above):
        return EQ, strength
    if found is LexicalRelation.ANTONYM and strength >= OPPOSED:
        return ALT, strength
    if max(below, above) >= WEAK_KIND:
        return (FWD, below) if below >= above else (REV, above)
    if found in (LexicalRelation.ENTAILS, LexicalRelation.ENTAILED):
        return (FWD if found is LexicalRelation.ENTAILS else REV), strength
    if found in (LexicalRelation.SIMILAR, LexicalRelation.DERIVED):
        return EQ, strength / 2
    if found is LexicalRelation.CO_HYPONYM:
        return (ALT, strength / 2) if tag1 == "ADJ" else (IND, strength)
    return IND, 0.0


_SIZES = (12, 20, 100)
_FINEST = 1000
"""The largest denominator of a share."""


def _holds(name: str, number: float | None, size: int) -> BoolArray:
    """Return the numbers, of 0 to ``size`` things, for which a quantifier is true."""
    k = np.arange(size + 1)
    if number is not None and 0 < number < 1:
        number = round(number * size)
    n = -1.0 if number is None else number
    name, strict, _ = name.partition(" strictly")
    table: dict[str, BoolArray] = {
        "at most": k < n if strict else k <= n,
        "at least": k > n if strict else k >= n,
        **dict.fromkeys(("every", "both", "the"), k == size),
        "no": k == 0,
        "not every": k < size,
        "few": k <= 0.25 * size,
        "all but": k == size - n,
        "most": k > 0.5 * size,
        "many": k >= 0.34 * size,
        "a few": k >= 2,
        **dict.fromkeys(("exactly", "number"), k == n),
    }
    return table.get(name, k >= 1)


def of_quantifiers(
    name1: str,
    number1: float | None,
    name2: str,
    number2: float | None,
    of_rest: bool = False,
) -> Relation:
    """Return the relation of two quantifiers, by the sets for which they are true; ``of_rest`` if
    the second counts the things that the first leaves out.

    The names are those of :data:`~hybridsem.judge.contexts.QUANTIFIERS`, with " strictly" for "more
    than" and "less than"; some have numbers, those below 1 a share.

    >>> str(of_quantifiers("every", None, "some", None)), str(of_quantifiers("no", None, "a", None))
    ('<', '^')
    >>> str(of_quantifiers("number", 1 / 6, "most", None, of_rest=True))
    '<'
    """
    counted = {name1, name2} <= {"number", "both"}
    if counted and (number1 or 2) != (number2 or 2) and not of_rest:
        return ALT
    if {name1, name2} == {"number", "the"} and (number1 or number2 or 0) > 1:
        return FWD if name2 == "the" else REV  # the same things, which only one sentence counts
    numbers = [number for number in (number1, number2) if number is not None]
    parts = [Fraction(each).limit_denominator(_FINEST).denominator for each in numbers if each < 1]
    sizes, top = (2 * math.lcm(*parts),) if parts else _SIZES, int(2 * max(numbers, default=0))
    if max(top, *sizes) > 10_000:
        return EQ if (name1, number1) == (name2, number2) and not of_rest else IND
    # Of 40 things, 32 are most: a number says nothing of how many there are.
    sizes = *sizes, *((top // 2, 5 * top // 8, top) if top > 1 else ())
    first, second = (
        np.concatenate([_holds(name, number, size)[::step] for size in sizes])
        for name, number, step in ((name1, number1, 1), (name2, number2, -1 if of_rest else 1))
    )
    both, either = bool((first & second).any()), bool((first | second).all())
    if (first == second).all():
        return EQ
    if not both:
        return NEG if either else ALT
    if not (first & ~second).any():
        return FWD
    if not (second & ~first).any():
        return REV
    return COV if either else IND


def opposition(words1: Sequence[str], words2: Sequence[str], tags: Iterable[str]) -> float:
    """Return the strength with which two words, each a lemma and a form, are opposites as one of
    several parts of speech.
    """
    related = (
        lexicon().relation(word1, tag, word2, tag)
        for tag in POS.keys() & tags
        for word1, word2 in zip(words1, words2, strict=True)
    )
    found = (strength for relation, strength in related if relation is LexicalRelation.ANTONYM)
    return max(found, default=0.0)


CALENDAR = (frozenset(WEEKDAYS), frozenset(MONTHS))
"""Names of which a day has one."""


def of_tokens(token1: Token, token2: Token) -> tuple[Relation, float]:
    """Return the relation of two words as written, and its confidence."""
    form1, form2 = token1.text.lower(), token2.text.lower()
    lemma1, lemma2 = token1.lemma.lower(), token2.lemma.lower()
    verbs = token1.pos == token2.pos == "VERB"  # particles are compared by themselves
    if form1 == form2 or (verbs and lemma1.partition(" ")[0] == lemma2.partition(" ")[0]):
        return EQ, 1.0
    for kind, one, other in ((REV, form1, token2), (FWD, form2, token1)):
        if any(one in relation_words()[name] for name in ("someone", "something")):
            return (kind, 0.8) if _can_be(one, other) else (IND, 0.0)
    found = [
        of_words(word1, tag, word2, tag)
        for tag in dict.fromkeys((token1.pos, token2.pos))
        for word1 in _spellings(token1)
        for word2 in _spellings(token2)
    ]
    relation, confidence = max(found, key=lambda one: one[1])
    if known_opposites(token1, token2):
        return ALT, max(0.9, confidence) if relation is ALT else 0.9
    days = {form1.removesuffix("s"), form2.removesuffix("s")}  # "on Fridays"
    if len(days) == 2 and any(days <= names for names in CALENDAR):
        return ALT, 0.9
    if token1.pos == token2.pos == "NOUN" and relation in (EQ, IND):
        for longer, shorter, kind in ((lemma1, lemma2, FWD), (lemma2, lemma1, REV)):
            if _is_compound(longer, shorter):
                return kind, 0.8
    return relation, confidence


def are_complementary(token1: Token, token2: Token) -> bool:
    """Test if there is nothing between two opposites."""
    if known_opposites(token1, token2) == COMPLEMENTARY:
        return True
    verbs = token1.pos == token2.pos == "VERB"
    shorter, longer = sorted((token1.text.lower(), token2.text.lower()), key=len)
    return not verbs and longer.removesuffix(shorter) in NEGATIVE_PREFIXES


def known_opposites(token1: Token, token2: Token) -> str:
    """Return the table of two words that exclude each other, or ""; "unclaimed" and "claimed" are
    complementary.
    """
    if is_negative_participle(token1, token2):
        return COMPLEMENTARY
    kind = "verbs" if token1.pos == token2.pos == "VERB" else "states"
    words1, words2 = ({token.text.lower(), token.lemma.lower()} for token in (token1, token2))
    pairs = {frozenset((one, two)) for one in words1 for two in words2}
    known = (name for name, table in OPPOSITES.items() if pairs & table.get(kind, frozenset()))
    return next(known, "")


def is_negative_participle(token1: Token, token2: Token) -> bool:
    """Test if one word is a participle that denies what the other says: "unpaid", "paid"; but not
    "untied", of the verb "untie".
    """
    for one, two in ((token1, token2), (token2, token1)):
        form = one.text.lower()
        if not form.startswith("un") or two.pos not in ("VERB", "ADJ"):
            continue
        verb = lemmatiser()(form[2:], "VERB")
        if verb == two.lemma.lower() != form[2:] and (f"un{verb}", "VERB") not in lexicon():
            return True
    return False


def _can_be(indefinite: str, token: Token) -> bool:
    """Test if a word denotes what an indefinite pronoun may stand for."""
    if token.pos not in ("NOUN", "PROPN", "PRON"):
        return False
    lemma = token.lemma.lower()
    relation, _ = lexicon().relation(lemma, "NOUN", "person", "NOUN")
    person = lemma in PERSONS or relation in (LexicalRelation.HYPONYM, LexicalRelation.SAME)
    unknown = token.pos != "NOUN"
    return unknown or person is (indefinite in relation_words()["someone"])


def _is_compound(noun: str, head: str) -> bool:
    """Test if a noun is a compound of a known word and a head: "metalworkshop". Of a noun that the
    lexicon has, such as "carpet", it knows the kinds.
    """
    known, first = lexicon(), noun.removesuffix(head).rstrip("- ")
    return (
        first != noun
        and min(len(first), len(head)) > 2
        and (noun, "NOUN") not in known
        and any((first, tag) in known for tag in ("NOUN", "ADJ"))
    )


def _spellings(token: Token) -> list[str]:
    """Return the lemma and form of a word; for an abbreviation also in capitals, for a plural that
    is no name, such as "Fridays", also without its ending.
    """
    found = [token.lemma.lower(), token.text.lower()]
    if token.text[:1].isupper():
        named = (token.text, "NOUN") in lexicon()
        found += [token.text, token.text if named else token.text.removesuffix("s")]
    elif token.pos == "NOUN" and len(token.lemma) <= 4:
        found.append(token.lemma.upper())
    return list(dict.fromkeys(found))
