"""The reasons for a label: the edits between two sentences, in English.

Each reason is a true statement about the two texts and quotes them. Reasons for the label come
first. ``wordings.py`` puts the edits of a derivation (``relations.py``) into words; exchanged roles
and other changes of place come from the edits of the comparison.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType

from hybridsem._utils.terminal import visible
from hybridsem.combiners.base import Batch
from hybridsem.combiners.hybrid import Compared
from hybridsem.comparison.edits import GOVERNORS, ROLES, SURE, Edit, Evidence, Kind
from hybridsem.comparison.function_words import opposed_pictures
from hybridsem.comparison.logic import Relation
from hybridsem.comparison.quotations import SLIGHT, plain_text, with_article
from hybridsem.comparison.spelling import parts, same_words
from hybridsem.english.harmless import HarmlessKind, proof
from hybridsem.english.wording import other_values
from hybridsem.english.written import units
from hybridsem.facts.reading import read_facts, written_as
from hybridsem.judge.derivation import Derivation
from hybridsem.judge.labels import Label
from hybridsem.judge.quoting import (
    CONTENT,
    COUNTED,
    NO_TREE,
    QuotedSentence,
    Said,
    Statement,
    listed,
)
from hybridsem.judge.statements import in_wording, without_repeats
from hybridsem.judge.wordings import (
    KINDS,
    REPLACED,
    QuotedPair,
    StatedEdit,
    attached,
    conversion,
    wording,
)
from hybridsem.structures import Role, RoleStructure

MOST = 4
"""The largest number of reasons."""
PARTICIPANTS = frozenset({Role.AGENT, Role.PATIENT, Role.THEME, "obj"})
BELONGING = frozenset({*GOVERNORS, Kind.INVERTED, Kind.MODIFIER})
"""The kinds of edits that are quoted with a governor."""
EQ, FWD, REV, NEG, ALT, COV, IND = Relation
SUPPORTS: Mapping[Label, tuple[Relation, ...]] = MappingProxyType(
    {
        Label.SAME: (EQ, FWD, REV),
        Label.ENTAILS: (FWD, EQ, REV, IND),
        Label.ENTAILED: (REV, EQ, FWD, IND),
        Label.CONTRADICTS: (NEG, ALT, COV, IND, FWD, REV),
        Label.DIFFERS: (NEG, ALT, COV, IND, FWD, REV),
        Label.UNRELATED: (IND, ALT, NEG, COV, FWD, REV),
    }
)
"""The rank of edits by their projected relation."""
HARMLESS: Mapping[HarmlessKind, str] = MappingProxyType(
    {
        HarmlessKind.SYNONYM: '"{0.text1}" and "{0.text2}" can mean the same.',
        HarmlessKind.INFLECTION: '"{0.text1}" and "{0.text2}" are forms of one word.',
        HarmlessKind.NOTATION: '"{0.text1}" and "{0.text2}" are the same number.',
        HarmlessKind.COMPOUND: '"{0.text1}" and "{0.text2}" are spellings of one word.',
    }
)
"""The wording of harmless differences; others are not stated."""


def reasons(
    label: Label,
    batch: Batch,
    indices: tuple[int, int],
    compared: Compared,
    derived: Derivation | None,
    sure: bool = False,
    likeness: float = math.nan,
) -> tuple[str, ...]:
    """Return the reasons for a label, the strongest first, from the comparison of a pair; they do
    not contradict one that is ``sure``. ``derived`` is its derivation in the same order, if it has
    trees. ``likeness`` is what a pair reader finds.
    """
    if of_wording := _of_wording(*(batch.sentences[index] for index in indices)):
        return _shown(of_wording)
    if derived is not None and compared.first != indices[0]:
        derived = derived.inverted
    compared = compared.in_order(indices)
    words = compared.words1, compared.words2
    spellers = compared.spellers(batch, indices)
    parsed = (batch.structures[at] if batch.structures else None for at in indices)
    trees = ((isinstance(one, RoleStructure) and one.tree) or NO_TREE for one in parsed)
    first, second = (
        QuotedSentence(number, *parts)
        for number, parts in enumerate(zip(words, spellers, trees, strict=True), 1)
    )
    partners = {words[0].words[one.first]: words[1].words[one.second] for one in compared.aligned}
    pair = QuotedPair(first, second, partners, compared.units)
    if label is Label.UNRELATED:
        return _shown(_of_shared_words(compared, pair))
    found: list[Statement] = [*_of_places(compared, pair)]
    known = {
        (0, at)
        for edit in compared.edits
        if edit.kind.evidence is Evidence.PLACE and found
        for at in edit.before.tokens
    }
    rank = {relation: place for place, relation in enumerate(SUPPORTS[label])}
    logical_edits = sorted(
        (edit for edit in (derived.edits if derived else ()) if edit.kind.logical),
        key=lambda one: (rank.get(one.projected, len(rank)), -one.confidence),
    )
    major, minor = (
        [edit for edit in logical_edits if _is_minor(edit, pair) is some] for some in (False, True)
    )
    found = _of_logic(major, pair, found, known)
    clear = bool(found)
    found = found or _of_logic(minor, pair, found, known)
    if not found:
        found = [*_of_edits(compared, pair)]
        clear = bool(found)
    same, questions = [*pair.equivalents()], [*_of_questions(compared)]
    clear |= bool(same)
    found += questions
    found = [*same, *found] if label is Label.SAME else [*found, *same]
    if not found or (not clear and not questions and label is not Label.SAME):
        found += _of_words(compared, label, pair, known)
    kept = without_repeats(found, pair, MOST) or ["Only words without content differ."]
    return _shown(in_wording(kept, label if sure else None, pair, likeness)[:MOST])


def _of_logic(
    edits: Iterable[Edit], pair: QuotedPair, found: list[Statement], known: set[tuple[int, int]]
) -> list[Statement]:
    """Add the statements of edits to those found, and their words to the ``known`` ones."""
    quoted: dict[tuple[str, str], list[Statement]] = {}
    for edit in edits:
        stated = StatedEdit(edit, pair)
        tokens = {(place, at) for place in (0, 1) for at in stated.tokens[place]}
        moved = edit.kind in REPLACED and any((0, at) in known for at in edit.before.tokens)
        if moved or tokens <= known or (all(stated.texts) and stated.texts in quoted):
            continue
        there = quoted.get(stated.texts[::-1], []) if edit.kind is Kind.MARKER else []
        if there:  # Two prepositions in the other order, each with its own phrase.
            found = [one for one in found if one not in there]
        elif new := wording(stated):
            quoted[stated.texts] = new
            found = found + new
            known |= tokens
    return found


def _shown(statements: Iterable[Statement]) -> tuple[str, ...]:
    return tuple(visible(str(one)) for one in statements)


def _of_wording(text1: str, text2: str) -> Sequence[Statement]:
    """State the harmless differences of texts that have no other, or the figures and signs with
    another value if these are all.
    """
    text2, equal = written_as(text2, text1)
    if not (read_facts(text1) and read_facts(text2)) and (other := other_values(text1, text2)):
        return [Said(f'"{one}"', f'"{two}"') for one, two in other][:MOST]
    proven = proof(text1, text2)
    if proven is None:
        return []
    stated = [f'"{same.text1}" and "{same.text2}" are the same {same.kind}.' for same in equal]
    stated += [HARMLESS[one.kind].format(one) for one in proven if one.kind in HARMLESS]
    if stated:
        return list(dict.fromkeys(stated))[:MOST]
    same = [unit.key for unit in units(text1)] == [unit.key for unit in units(text2)]
    return ["The words are the same." if same else "Only words without content differ."]


def _is_minor(edit: Edit, pair: QuotedPair) -> bool:
    """Test if an edit is a reason only in the absence of others; opposed markers never are."""
    sides = [*zip(pair.both, (edit.before.tokens, edit.after.tokens), strict=True)]
    phrases = all(
        some
        and side.relation(some[-1]) in ("case", "mark")
        and side.canonical[some[-1]].head not in side.words.units  # "in June" and "from June"
        for side, some in sides
    )
    opposed = edit.relation in (NEG, ALT, COV) or (edit.relation is IND and phrases)
    marker = edit.kind is Kind.MARKER and not opposed
    lemmas = {side.words.lemmas[at] for side, some in sides for at in some[-1:]}
    form = edit.kind in REPLACED and len(lemmas) == 1  # "drew" and "draws"
    return marker or form or (edit.kind is Kind.ARTICLE and edit.relation is EQ)


def _of_shared_words(compared: Compared, pair: QuotedPair) -> Iterator[str]:
    """State the content words that both sentences have."""
    first, second = (
        {
            side.words.lemmas[at]: at
            for at in side.words.words
            if side.words.tags[at] in CONTENT and not any(at == unit[place] for unit in pair.units)
        }
        for place, side in enumerate(pair.both)
    )
    same = sorted(at for lemma, at in first.items() if lemma in second)
    if of_parts := _shared_parts(pair, {*first} & {*second}):
        runs = parts({*same, *of_parts}, gap=0)
        quotes = [quote for run in runs for quote in _as_both_say(run, pair) if quote]
        if whole := [one for one in quotes if not any(_is_part(one, other) for other in quotes)]:
            yield f"Both sentences say {listed(whole[:MOST])}."
        else:
            lemmas = [token.lemma for token in pair.first.tree or ()]
            words = listed(f'"{lemmas[at]}"' for at in [*same, *of_parts][:MOST])
            yield f"Both sentences have forms of {words}."
    elif not same:
        yield "They share no content word."
    elif len(same) == 1:
        yield f"The only content word they share is {pair.first.quote(same)}."
    else:
        few = "only " if len(same) <= MOST else ""
        words = listed(pair.first.quote((at,)) for at in same)
        yield f"The {few}content words they share are {words}."


def _as_both_say(run: Sequence[int], pair: QuotedPair) -> list[str]:
    """Quote words of the first sentence that stand together: as one if they do in the second, and
    none with more than the second has: "Ann" alone of "Ann Lee" and "Ann Poole".
    """

    def both_say(quote: str) -> bool:
        return f" {plain_text(quote)} " in f" {pair.second.plain} "

    whole, tree = pair.first.quote(run), pair.first.tree
    if both_say(whole) or not tree:
        return [whole]
    quotes = [(pair.first.quote((at,)), f'"{tree[at].text}"') for at in run]
    return [next(filter(both_say, both), "") for both in quotes]


def _shared_parts(pair: QuotedPair, known: Collection[str]) -> list[int]:
    """Return words of the first sentence that both have, as parts of names or values."""
    first, second = (
        {token.lemma.lower(): at for at, token in enumerate(side.tree) if token.pos in COUNTED}
        for side in pair.both
    )
    return [at for lemma, at in first.items() if lemma in second and lemma not in known]


def _is_part(quote: str, other: str) -> bool:
    """Test if another quotation has all words of a quotation, and more."""
    return quote != other and f" {plain_text(quote)} " in f" {plain_text(other)} "


def _of_places(compared: Compared, pair: QuotedPair) -> list[str]:
    """State that words exchanged their roles, belong to other words, or changed places."""
    first, second = pair.both
    edits = [
        edit
        for edit in compared.edits
        if edit.kind.evidence in (Evidence.PLACE, Evidence.ORDER)
        and edit.confidence >= SURE
        and edit.before.tokens
        and edit.after.tokens
    ]
    roles = [
        edit
        for edit in edits
        if edit.kind in (*ROLES, Kind.RELATION) and _has_known_roles(edit, pair)
    ]
    names = dict.fromkeys(first.quote(first.whole(edit.before.tokens[0])) for edit in roles)
    if len(names) == len({edit.before.role for edit in roles}) == 2:
        return [f"{' and '.join(names)} exchanged their roles."]
    if pair.is_unlike:
        return []
    if found := list(dict.fromkeys(_of_attachments(edits, pair))):
        return found
    parts = sorted(edit.before.tokens for edit in edits if edit.kind is Kind.CROSSED)
    if len(parts) == 2 and not any(
        first.words.tags[at] == "CCONJ" for part in parts for at in part
    ):
        whole = [with_article(first.tree, part) if first.tree else part for part in parts]
        return [f"{' and '.join(map(first.quote, whole))} changed places."]
    places = sorted(
        {
            (edit.before.tokens[0], edit.after.tokens[0])
            for edit in edits
            if same_words(edit.before.tokens, first.spell, edit.after.tokens, second.spell)
        }
    )
    again = sorted(places, key=lambda place: place[1])
    crossed = [one for one, two in zip(places, again, strict=True) if one != two]
    crossed = [place for place in crossed if first.words.tags[place[0]] != "VERB"]
    wholes = {one: first.whole(one) for one, _ in crossed}
    inner = {at for one, whole in wholes.items() for at in whole if at != one}
    words = list(dict.fromkeys(first.quote(wholes[one]) for one in wholes if one not in inner))
    if len(words) == 2:
        return [f"{' and '.join(words)} changed places."]
    return [f"{listed(words)} come in another order."] if len(words) > 2 else []


def _of_attachments(edits: Sequence[Edit], pair: QuotedPair) -> Iterator[str]:
    """State the governors of words; words with the same governors are combined."""
    first, second = pair.both
    together: dict[tuple[int, int], tuple[set[int], set[int]]] = {}
    for edit in edits:
        anchor1, anchor2 = edit.before.anchor, edit.after.anchor
        if edit.kind not in BELONGING or anchor1 is None or anchor2 is None:
            continue
        governors = first.quote((anchor1,)), second.quote((anchor2,))
        text1, text2 = (
            side.quote(at for token in words.tokens for at in side.whole(token))
            for side, words in zip(pair.both, (edit.before, edit.after), strict=True)
        )
        if text1 != text2 and {text1, governors[0]} == {text2, governors[1]}:
            yield f"{text1} and {governors[0]} changed places."
        elif edit.kind is not Kind.INVERTED and text1 == text2:
            tokens1, tokens2 = together.setdefault((anchor1, anchor2), (set(), set()))
            tokens1.update(at for token in edit.before.tokens for at in first.whole(token))
            tokens2.update(at for token in edit.after.tokens for at in second.whole(token))
    for (anchor1, anchor2), (tokens1, tokens2) in together.items():
        if same_words(tokens1, first.spell, tokens2, second.spell):
            yield from attached(pair, tokens1, anchor1, anchor2)


def _has_known_roles(edit: Edit, pair: QuotedPair) -> bool:
    """Test if the words of an edit are participants, with no preposition but "by"."""
    words = (edit.before, edit.after)
    if edit.before.anchor is None or edit.after.anchor is None:
        return False
    spellers = pair.first.spell, pair.second.spell
    lemmas = pair.first.words.lemmas, pair.second.words.lemmas
    return (
        same_words(edit.before.tokens, spellers[0], edit.after.tokens, spellers[1])
        and lemmas[0][edit.before.anchor] == lemmas[1][edit.after.anchor]
        and {one.role for one in words} <= PARTICIPANTS
        and all(
            side.words.prepositions[token] in (None, "by")
            for side, one in zip(pair.both, words, strict=True)
            for token in one.tokens
        )
    )


def _of_edits(compared: Compared, pair: QuotedPair) -> Iterator[Statement]:
    """State the findings of the comparison if there is no other reason."""
    for edit in compared.edits:
        apart = edit.kind.evidence in (None, Evidence.PLACE, Evidence.ORDER)
        if apart or edit.kind is Kind.QUESTION or edit.confidence < SURE:
            continue
        tokens1, tokens2 = (
            [*words.marks, *(at for token in words.tokens for at in side.whole(token, names=True))]
            for side, words in zip(pair.both, (edit.before, edit.after), strict=True)
        )
        if not (tokens1 and tokens2):
            yield from pair.only(pair.first, tokens1)
            yield from pair.only(pair.second, tokens2)
            continue
        text1, text2 = pair.first.quote(tokens1), pair.second.quote(tokens2)
        classes = [pair.first.words.tags[tokens1[-1]], pair.second.words.tags[tokens2[-1]]]
        if plain_text(text1) == plain_text(text2):
            continue
        if edit.kind is Kind.CONVERSION and {*classes} <= KINDS.keys():
            yield conversion(text1, classes[0], text2, classes[1])
        else:
            yield Said(text1, text2)


def _of_questions(compared: Compared) -> Iterator[Statement]:
    number = 1 if compared.words1.question else 2
    asked = "?" in (compared.words1, compared.words2)[number - 1].forms
    if compared.words1.question != compared.words2.question and asked:
        yield f"Only sentence {number} has a question mark."
    if (places := opposed_pictures(compared.words1, compared.words2)) is not None:
        one, two = compared.words1.forms[places[0]], compared.words2.forms[places[1]]
        yield Said(f'"{one}"', f'"{two}"')


def _of_words(
    compared: Compared, label: Label, pair: QuotedPair, known: Set[tuple[int, int]]
) -> Iterator[Statement]:
    """State which words are the same, or differ, if there is no clear reason."""
    forms = [side.plain.split() for side in pair.both]
    if not any(forms):  # emoji alone
        one, two = (side.quote(range(len(side.words.forms))) for side in pair.both)
        yield Said(one, two)
    elif sorted(forms[0]) == sorted(forms[1]):
        same = label is Label.SAME or forms[0] == forms[1]
        yield "The words are the same." if same else "Only the order of the words differs."
    elif label is Label.SAME and _content(pair.first) == _content(pair.second):
        yield "The content words are the same."
    else:
        known = known | {(side, at) for side in (0, 1) for at in pair.between.equal[side]}
        for side, other in (pair.both, pair.both[::-1]):
            yield from _of_rest(side, other, known)
        once = {form for form in forms[0] if forms[0].count(form) == forms[1].count(form) == 1}
        first, second = ([form for form in some if form in once] for some in forms)
        if first != second:
            yield "The words that they share come in another order."


def _content(side: QuotedSentence) -> list[str]:
    """Return the lemmas of the content words, sorted."""
    words = side.words
    return sorted(words.lemmas[at] for at in words.words if words.tags[at] in CONTENT)


def _of_rest(
    side: QuotedSentence, other: QuotedSentence, known: Container[tuple[int, int]]
) -> Iterator[Statement]:
    """State which words only one sentence has, or has more often."""
    more = Counter(side.words.forms) - Counter(other.words.forms)
    place = side.number - 1
    tokens = [
        at
        for at, form in enumerate(side.words.forms)
        if form in more and form not in SLIGHT and (place, at) not in known
    ]
    alone = [at for at in tokens if other.lacks(side, (at,))]
    content = [at for at in alone if side.words.tags[at] in CONTENT]
    new = [at for at in content if side.words.lemmas[at] not in other.words.lemmas]
    alone = new or [at for at in alone if at not in content] or alone
    if alone:
        yield Said.only(side.number, listed(map(side.spelled, side.phrases(alone[:MOST]))))
    often = [at for at in tokens if side.words.forms[at] in other.words.forms]
    if often and not alone and any(map(str.isalnum, side.words.forms[often[0]])):
        yield f"Sentence {side.number} says {side.quote(often[:1])} more often."
