"""Two parts of a sentence that exchanged their places, by the words alone.

    User A blocked user B    ->  User B blocked user A       X P Y  ->  Y P X
    gave me her number       ->  gave her my number          X Y    ->  Y X
    text-to-speech           ->  speech-to-text

Between the ends that two texts share, one has the parts in the other order. What is around and
between the parts stays, so no parse is needed to see that two participants changed roles. Phrases
of time and place that move, lists in another order, and symmetric predicates are no exchange.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hybridsem._utils.tables import read_table, word_set
from hybridsem.comparison.sentence import Sentence
from hybridsem.english.lexicon import Lexicon
from hybridsem.english.words import ARTICLES, BE_FORMS, PRONOUNS

_TABLES = read_table(__file__)
_PERSON = {
    form: person
    for person, forms in PRONOUNS.items()
    for form in (forms.object, forms.determiner, person)
}
_JOINING = word_set(_TABLES["joining"])
_SYMMETRIC = word_set(_TABLES["symmetric"])
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET", "X", "SYM"})
_AFTER_NAMES = frozenset({"VERB", "AUX", "ADP", "PUNCT", "CCONJ", "PART"})
_RELATING = frozenset({"VERB", "AUX", "ADP", "PART", "SCONJ"})
_UNCOUNTED = word_set(_TABLES["uncounted"])
_SAME_KEY = dict(_TABLES["same"])
CLITIC_GENITIVES = ("'s", "’s", "'", "’")
DASHES = ("-", "–", "—", "/")
LONGEST = 40
"""The most tokens between the shared ends that are searched."""

Keyed = list[tuple[str, int]]


class Exchange(NamedTuple):
    """The tokens of the two parts: of one, in the first and the second sentence; of the other."""

    part1: tuple[Sequence[int], Sequence[int]]
    part2: tuple[Sequence[int], Sequence[int]]


def exchange(first: Sentence, second: Sentence, lexicon: Lexicon) -> Exchange | None:
    """Return the parts of two sentences with the same words that exchanged their places, if any."""
    ones, twos = _keyed(first), _keyed(second)
    keys1, keys2 = [key for key, _ in ones], [key for key, _ in twos]
    if keys1 == keys2 or len(ones) != len(twos):
        return None
    if sorted(keys1) != sorted(keys2):
        return _everywhere(first, ones, twos)
    start = 0
    while keys1[start] == keys2[start]:
        start += 1
    end = len(keys1)
    while keys1[end - 1] == keys2[end - 1]:
        end -= 1
    if end - start > LONGEST:
        return None
    at1, at2 = ([token for _, token in keyed[start:end]] for keyed in (ones, twos))
    if _comma_moves(first, second, at1, at2):
        return None
    keys1, keys2 = keys1[start:end], keys2[start:end]
    before = first.tags[ones[start - 1][1]] if start else ""
    for x, y in _splits(keys1, keys2):
        parts = at1[:x], at1[len(at1) - y :], at1[x : len(at1) - y]
        if _changes_roles(first, *parts, lexicon) or _takes_noun(first, before, *parts):
            return Exchange((at1[:x], at2[len(at2) - x :]), (parts[1], at2[:y]))
    return _everywhere(first, ones, twos)


def _keyed(sentence: Sentence) -> Keyed:
    """Return the words with their tokens, without articles and punctuation; pronouns by person."""
    found: Keyed = []
    after = (*sentence.tags[1:], "PUNCT")
    for at, (form, tag) in enumerate(zip(sentence.forms, after, strict=True)):
        if form in ARTICLES and tag not in _AFTER_NAMES:  # "user A" has no article
            continue
        if form in _UNCOUNTED or (form in CLITIC_GENITIVES and sentence.tags[at] == "PART"):
            continue
        dash = form in DASHES and 0 < at < len(sentence.forms) - 1
        if dash or any(map(str.isalnum, form)):
            key = "be" if form in BE_FORMS else _PERSON.get(form, form)
            found.append((_SAME_KEY.get(key, key), at))
    return found


def _splits(keys1: list[str], keys2: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the lengths x, y of the first and last part, if X P Y is Y P X in the other list."""
    size = len(keys1)
    for x in range(1, size):
        for y in range(1, size - x + 1):
            if (
                keys1[:x] == keys2[size - x :]
                and keys1[size - y :] == keys2[:y]
                and keys1[x : size - y] == keys2[y : size - x]
            ):
                yield x, y


def _changes_roles(
    sentence: Sentence,
    part1: Sequence[int],
    part2: Sequence[int],
    between: Sequence[int],
    lexicon: Lexicon,
) -> bool:
    """Test if an exchange of two parts of a sentence changes who does what to whom."""
    tags = [{sentence.tags[at] for at in part} for part in (part1, part2, between)]
    lemmas = [sentence.lemmas[at] for at in between]
    listed = "," in sentence.forms[part1[0] : part2[-1]]
    for part, other in ((0, 1), (1, 0)):
        if tags[part] == {"CCONJ"}:  # "Ann and Bob met Carl", "Ann met Bob and Carl"
            return not listed and not _RELATING.isdisjoint(tags[other])
    if any(sentence.tags[part[0]] in ("ADP", "ADV", "SCONJ") for part in (part1, part2)):
        return False
    if not between:  # "the river Olt" is "the Olt river", but "guest house" is no "house guest"
        nouns = tags[0] == tags[1] == {"NOUN"} and not listed
        return nouns or (tags[0] | tags[1] <= _NOMINAL and "PRON" in tags[0] | tags[1])
    forms = {sentence.forms[at] for at in between}
    before = sentence.forms[part1[0] - 1] if part1[0] else ""
    if tags[2] == {"ADP"} and before in forms:  # "in 1943 in Oakland"
        return False
    joined = listed or not _JOINING.isdisjoint(forms)
    joined = joined and not tags[2] & {"VERB", "AUX", "PART"}
    if (
        joined
        or tags[0] | tags[1] | tags[2] == {"ADJ"}
        or forms <= BE_FORMS
        or not _SYMMETRIC.isdisjoint(forms)
    ):
        return False
    symmetric = any(
        lexicon.symmetries(lemma, sentence.tags[at])
        for lemma, at in zip(lemmas, between, strict=True)
        if sentence.tags[at] in ("VERB", "NOUN", "ADJ")
    )
    return not symmetric


def _takes_noun(
    sentence: Sentence,
    before: str,
    part1: Sequence[int],
    part2: Sequence[int],
    between: Sequence[int],
) -> bool:
    """Test if a noun goes from one possessor to another: "Ann's boss called her", "Ann called her
    boss". One part is the noun, the other ends with the pronoun.
    """
    if between or before not in ("NOUN", "PROPN", "PRON"):
        return False
    tags = [[sentence.tags[at] for at in part] for part in (part1, part2)]
    return any(
        "NOUN" in noun
        and _NOMINAL.issuperset(noun)
        and rest[-1] == "PRON"
        and not {"VERB", "AUX"}.isdisjoint(rest)
        for noun, rest in (tags, tags[::-1])
    )


def _everywhere(sentence: Sentence, ones: Keyed, twos: Keyed) -> Exchange | None:
    """Return two participants that are exchanged wherever they occur: "we lend them our tent"."""
    differing = [(one, two) for one, two in zip(ones, twos, strict=True) if one[0] != two[0]]
    pairs = {(one[0], two[0]) for one, two in differing}
    if len(differing) < 3 or len(pairs) != 2 or {pair[::-1] for pair in pairs} != pairs:
        return None
    if any(sentence.tags[at] not in _NOMINAL for (_, at), _ in differing):
        return None
    parts = [
        (
            [at for (key, at), _ in differing if key == of],
            [at for _, (key, at) in differing if key == of],
        )
        for of in sorted({one for one, _ in pairs})
    ]
    return Exchange(*parts)


def _comma_moves(first: Sentence, second: Sentence, at1: Sequence[int], at2: Sequence[int]) -> bool:
    """Test if commas divide what moved in one sentence alone: a clause or phrase in front."""
    commas = [
        sum(form == "," for form in side.forms[at[0] : at[-1]])
        for side, at in ((first, at1), (second, at2))
    ]
    return commas[0] != commas[1]
