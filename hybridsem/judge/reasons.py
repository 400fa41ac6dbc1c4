"""The reasons for a label: the edits between two sentences, in English.

Each reason is true of the two texts and quotes them; those that support the label come first.
``WORDINGS`` puts the edits of a derivation (``relations.py``) into words; exchanged roles and other
changes of place come from the edits of the comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType

from hybridsem._utils.tables import word_set
from hybridsem._utils.terminal import visible
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.hybrid import Compared
from hybridsem.edits import GOVERNORS, ROLES, SURE, Edit, Evidence, Kind
from hybridsem.english.numbers import UNITS, number_value
from hybridsem.judge.labels import Label
from hybridsem.judge.polarity import Context, Relation, contexts, quantifiers
from hybridsem.judge.relations import Change, Derivation, Sort
from hybridsem.render.edits import Speller, excerpt, same_words
from hybridsem.structures import DependencyTree, Role

__all__ = ["reasons"]

MOST = 4
"""The largest number of reasons."""
CLEAR, CLEAR_VERB, OPPOSITE = 0.7, 0.75, 0.99
"""The least certainty of a relation of two words that a reason names, and of opposites, chosen by
reading those of development pairs. Below it, the senses are less usual ("boy" and "man" .67).
"""
PARTICIPANTS = frozenset({Role.AGENT, Role.PATIENT, Role.THEME})
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
"""The order of edits by their projected relation."""
REPLACED = frozenset({Sort.WORD, Sort.UNKNOWN, Sort.SIBLING})
DENYING = frozenset({Context.NEGATION, Context.NO})
CLASSES = MappingProxyType(
    {"PROPN": "NOUN", "PRON": "NOUN", "AUX": "VERB", "DET": "NUM", "SCONJ": "ADP"}
)
"""Tags that count as another when a word replaces a word."""
CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV"})
COUNTED = CONTENT | {"NUM"}
CLAUSES = frozenset({"root", "conj", "parataxis", "ccomp", "xcomp", "advcl"})
PARTICLES = word_set("out up down off away back over")
KINDS = MappingProxyType(
    {"NOUN": "a noun", "VERB": "a verb", "ADJ": "an adjective", "ADV": "an adverb"}
)
GAP = 2
"""The longest gap that an excerpt fills."""
JOINING = word_set("and or but , ; : ( ) - –")
"""Words that an excerpt does not begin or end with."""


@dataclass(frozen=True)
class _Sentence:
    number: int
    words: SentenceWords
    spell: Speller
    tree: DependencyTree | None

    def quote(self, tokens: Iterable[int], gap: int = GAP, trim: bool = False) -> str:
        """Quote tokens as the text has them, gaps of at most ``gap`` tokens filled, and list the
        parts between longer gaps; of a phrase, ``trim`` the ends.
        """
        parts: list[list[int]] = []
        for at in sorted({*tokens}):
            if parts and at - parts[-1][-1] - 1 <= gap:
                parts[-1].append(at)
            else:
                parts.append([at])
        if trim:
            trimmed = [part for part in map(self._trimmed, parts) if part] or parts[:1]
            tags = [{self.words.tags[at] for at in part} for part in trimmed]
            content = [part for part, some in zip(trimmed, tags, strict=True) if some & COUNTED]
            parts = content or trimmed
        return _listed(map(self._spelled, parts))

    def _trimmed(self, part: Sequence[int]) -> list[int]:
        """Drop conjunctions and punctuation at the edges, but keep numbers of what is left."""
        kept = list(part)
        while kept and self.words.forms[kept[-1]] in JOINING:
            kept.pop()
        while kept and self.words.forms[kept[0]] in JOINING:
            kept.pop(0)
        if kept and kept != list(part) and kept[0] and self.relation(kept[0] - 1) == "nummod":
            kept.insert(0, kept[0] - 1)
        return kept

    def _spelled(self, part: Sequence[int]) -> str:
        first, last = part[0], part[-1]
        if self.tree is None:
            text = excerpt(part, self.spell)
        else:
            text, end = self.tree.text, self.tree[last].end
            closed = text[end : end + 1] == ")"
            text = self.spell(first) + text[self.tree[first].end : end]
            if text.count("(") > text.count(")"):
                text = f"{text})" if closed else text.replace("(", "")
        return f'"{" ".join(text.replace(chr(34), "").split())}"'

    def whole(self, at: int, names: bool = False) -> list[int]:
        """Return a token with the rest of its name or its compound, or with its particle.

        Args:
            at: The token.
            names: Extend names only.
        """
        start = end = at
        while start and self._is_part(start - 1, at, names):
            start -= 1
        while end + 1 < len(self.words.forms) and self._is_part(end + 1, at, names):
            end += 1
        return [*range(start, end + 1), *self.particle(at)]

    def _is_part(self, at: int, of: int, names: bool) -> bool:
        """Whether a token beside a name or compound is part of it."""
        if self.tree is None:
            return False
        token, whole = self.tree[at], self.tree[of]
        between = range(min(at, of) + (at < of), max(at, of) + 1)
        if token.head not in between or whole.pos not in ("NOUN", "PROPN"):
            return False
        if self.relation(at) in ("compound", "flat"):
            singular = token.lemma == token.text.lower()
            return whole.pos == token.pos == "PROPN" or (singular and not names)
        named = whole.pos == "PROPN" and token.text.istitle() and at > 0
        return named and self.relation(at) == "amod"

    def particle(self, at: int) -> list[int]:
        """The particle that follows a verb, if any."""
        behind = at + 1
        if self.tree is None or self.tree[at].pos != "VERB" or behind >= len(self.tree):
            return []
        token = self.tree[behind]
        of = behind + 1 < len(self.tree) and self.tree[behind + 1].text == "of"
        particle = token.text in PARTICLES and (of or token.relation != "case")
        return [behind] if particle else []

    def relation(self, at: int) -> str:
        """The dependency relation of a token without its subtype, or ""."""
        return "" if self.tree is None else self.tree[at].relation.partition(":")[0]

    @cached_property
    def plain(self) -> str:
        """The text in small letters, without punctuation."""
        return _plain(" ".join(self.words.forms) if self.tree is None else self.tree.text)

    @cached_property
    def numbers(self) -> set[float | None]:
        """The numbers in the text."""
        return {number_value(form) for form in self.words.forms}

    def lacks(self, other: _Sentence, tokens: Iterable[int]) -> bool:
        """Whether some of these words of the other sentence are missing here."""
        missing = {
            form
            for form in (other.words.forms[at] for at in tokens)
            if form not in self.words.forms
            and f" {_plain(form)} " not in f" {self.plain} "
            and (number_value(form) is None or number_value(form) not in self.numbers)
        }
        return any(any(map(str.isalnum, form)) for form in missing)

    def only(self, other: _Sentence, tokens: Sequence[int], scope: str = "") -> Iterator[str]:
        """State that the other sentence lacks some words."""
        no_longer = [self.words.forms[at] for at in tokens] == ["longer"]
        if tokens and other.lacks(self, tokens) and not no_longer:
            quoted = self.quote(tokens, trim=True)
            yield f"Only sentence {self.number} says {quoted}{scope}."


def _plain(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def _listed(quotes: Iterable[str]) -> str:
    *rest, last = dict.fromkeys(quotes)
    return f"{', '.join(rest)} and {last}" if rest else last


@dataclass(frozen=True)
class _Pair:
    """Both sentences, and the words of the second that are partners of those of the first."""

    first: _Sentence
    second: _Sentence
    partners: Mapping[int, int]

    @property
    def both(self) -> tuple[_Sentence, _Sentence]:
        return self.first, self.second

    def related(self, token1: int, token2: int) -> bool:
        """Whether two words are partners, or have the same lemma."""
        same = self.first.words.lemmas[token1] == self.second.words.lemmas[token2]
        return same or self.partners.get(token1) == token2


@dataclass(frozen=True)
class _Stated:
    """An edit of a derivation, to be put into words."""

    change: Change
    pair: _Pair

    @property
    def sides(self) -> tuple[_Sentence, _Sentence]:
        """The sentence that ``about`` and ``source`` belong to, and the other."""
        here = bool(self.change.tokens1) != self.change.swapped
        return self.pair.both if here else self.pair.both[::-1]

    @cached_property
    def tokens(self) -> tuple[list[int], list[int]]:
        """The words to quote: names whole, verbs with particles, and where "nobody" replaces a
        quantifier, this with its noun.
        """
        given = self.change.tokens1, self.change.tokens2
        pronoun = any(
            side.words.tags[some[-1]] in ("PRON", "NOUN")
            for side, some in zip(self.pair.both, given, strict=True)
            if some
        )
        quoted: list[list[int]] = []
        for side, some in zip(self.pair.both, given, strict=True):
            tokens = list(some)
            if self.change.sort in REPLACED and len(some) == 1:
                tokens = side.whole(some[0], names=True)
            elif self.change.sort is Sort.MODAL:
                tokens += [at + 1 for at in some if side.words.forms[at + 1 : at + 2] == ("to",)]
            elif self.change.sort is Sort.QUANTIFIER and pronoun and some and side.tree:
                head = side.tree[some[-1]].head
                if some[-1] < head <= some[-1] + 3 and side.relation(some[-1]) in (
                    *("det", "nummod", "amod"),
                ):
                    tokens += range(some[-1] + 1, head + 1)
            for one, two in pairwise(some):
                tokens += range(one + 1, two) if two - one <= GAP + 1 else ()
            quoted.append(sorted(tokens))
        return quoted[0], quoted[1]

    @property
    def texts(self) -> tuple[str, str]:
        first, second = (
            side.quote(some) if some else ""
            for side, some in zip(self.pair.both, self.tokens, strict=True)
        )
        return first, second

    @property
    def about(self) -> str:
        side, _ = self.sides
        return side.quote((self.change.about,)) if self.change.about >= 0 else ""

    @property
    def scope(self) -> str:
        """The word in whose scope the edit is, in brackets."""
        (side, other), source = self.sides, self.change.source
        if source < 0 or self.change.relation is EQ:
            return ""
        if all(self.texts) and side.words.forms[source] not in other.words.forms:
            return ""
        found = [] if side.tree is None else quantifiers(side.tree)
        whole = next((one.tokens for one in found if source in one.tokens), (source,))
        return f" (in the scope of {side.quote(whole)})"

    def classes(self) -> list[str]:
        """The classes of the tags of the two words."""
        given = self.change.tokens1, self.change.tokens2
        tags = [
            side.words.tags[some[-1]]
            for side, some in zip(self.pair.both, given, strict=True)
            if some
        ]
        return [CLASSES.get(tag, tag) for tag in tags]

    def alone(self) -> Iterator[str]:
        """State which words only one of the sentences has."""
        first, second = self.pair.both
        yield from first.only(second, self.tokens[0], self.scope)
        yield from second.only(first, self.tokens[1], self.scope)

    def became(self) -> Iterator[str]:
        """State that words replace others, or that only one sentence has some."""
        text1, text2 = self.texts
        if not (text1 and text2):
            yield from self.alone()
        elif _plain(text1) != _plain(text2):
            yield f"{text1} became {text2}{self.scope}."


def _word(stated: _Stated) -> Iterator[str]:
    change, (text1, text2) = stated.change, stated.texts
    (first, second), (at1,), (at2,) = stated.pair.both, change.tokens1, change.tokens2
    if text1.lower() == text2.lower() or "expl" in (first.relation(at1), second.relation(at2)):
        return
    if not (second.lacks(first, (at1,)) or first.lacks(second, (at2,))):
        return
    class1, class2 = stated.classes()
    if claim := _claim(stated, at1, at2):
        yield f"{claim}{stated.scope}."
        return
    stem = first.words.lemmas[at1][:4] == second.words.lemmas[at2][:4]
    if stem and class1 != class2 and {class1, class2} <= KINDS.keys():
        yield _conversion(text1, class1, text2, class2)
    elif stem or (class1 == class2 and _replaces(stated.pair, at1, at2)):
        yield from stated.became()
    else:
        yield from stated.alone()


def _conversion(text1: str, class1: str, text2: str, class2: str) -> str:
    return f"{text1} is {KINDS[class1]} in sentence 1, {text2} {KINDS[class2]} in sentence 2."


def _claim(stated: _Stated, at1: int, at2: int) -> str:
    """State the relation of two words, if it is clear; else ""."""
    change, (first, second) = stated.change, stated.pair.both
    lemma1, lemma2 = first.words.lemmas[at1], second.words.lemmas[at2]
    classes, least = {*stated.classes()}, CLEAR
    if change.relation is ALT:
        least = OPPOSITE
    elif "VERB" in classes:
        least = CLEAR_VERB
    if change.sort is not Sort.WORD or change.sure < least or lemma1 == lemma2:
        return ""
    if first.particle(at1) or second.particle(at2) or ("VERB" in classes and len(classes) == 2):
        return ""
    longer, shorter = sorted((lemma1, lemma2), key=len, reverse=True)
    if longer.endswith(shorter) and (len(longer) - len(shorter) < 3 or shorter in UNITS):
        return ""  # "methanol", "kilometre"
    text1, text2 = first.quote((at1,)), second.quote((at2,))
    name = "PROPN" in (first.words.tags[at1], second.words.tags[at2])
    claims = {
        FWD: f"{text1} is more specific than {text2}",
        REV: f"{text2} is more specific than {text1}",
        ALT: f"{text1} and {text2} are opposites",
        EQ: "" if name else f"{text1} and {text2} can mean the same",
    }
    return claims.get(change.relation, "")


def _replaces(pair: _Pair, at1: int, at2: int) -> bool:
    """Whether two words of one class have the same place in their sentences."""
    first, second = pair.both
    tag = CLASSES.get(first.words.tags[at1], first.words.tags[at1])
    if first.tree is None or second.tree is None:
        return True
    if tag == "VERB" and {first.relation(at1), second.relation(at2)} <= CLAUSES:
        return True
    around = [
        [*side.words.forms[max(0, at - 1) : at], *side.words.forms[at + 1 : at + 2]]
        for side, at in ((first, at1), (second, at2))
    ]
    if around[0] == around[1]:
        return True
    head1, head2 = first.tree[at1].head, second.tree[at2].head
    if tag == "ADJ" and min(head1, head2) >= 0 and pair.related(head1, head2):
        return True
    prepositions = first.words.prepositions[at1], second.words.prepositions[at2]
    if prepositions[0] != prepositions[1]:
        return False
    return prepositions[0] is not None or first.relation(at1) == second.relation(at2)


def _negation(stated: _Stated) -> Iterator[str]:
    about, (at, *_) = stated.change.about, (*stated.change.tokens1, *stated.change.tokens2)
    side, other = stated.sides
    if about < 0 or side.words.forms[at] == "unless":
        yield from side.only(other, (at,))
        return
    partners = (
        stated.pair.partners
        if side is stated.pair.first
        else {two: one for one, two in stated.pair.partners.items()}
    )
    there = partners.get(about)
    within = () if there is None or other.tree is None else contexts(other.tree)[there]
    if any(one.context in DENYING for one in within):
        return  # The other sentence denies it too, in another way.
    near = at < about <= at + 3 and side.words.forms[at + 1] != "longer"
    denied = range(at + 1, about + 1) if near else (about,)
    yield f"Sentence {side.number} denies {side.quote(denied)}."


def _quantifier(stated: _Stated) -> Iterator[str]:
    change, (side, other) = stated.change, stated.sides
    tokens = (*change.tokens1, *change.tokens2)
    if (change.tokens1 and change.tokens2) or change.about < 0:
        yield from stated.became()
    elif other.lacks(side, tokens):
        yield from side.only(other, [*tokens, change.about], stated.scope)


def _signature(stated: _Stated) -> Iterator[str]:
    change, (text1, text2), side = stated.change, stated.texts, stated.sides[0]
    if text1 and text2:
        yield from _complements(stated)
        return
    means = {
        EQ: f"implies {stated.about}",
        FWD: f"implies {stated.about}",
        NEG: f"denies {stated.about}",
        ALT: f"denies {stated.about}",
    }
    relation = change.relation if text1 else change.relation.turned
    meaning = means.get(relation, f"leaves {stated.about} open")
    yield f"{text1 or text2} in sentence {side.number} {meaning}."


def _complements(stated: _Stated) -> Iterator[str]:
    """State the complements of a verb that has another one in each sentence."""
    heads = stated.change.tokens1[0], stated.change.tokens2[0]
    side, _ = stated.sides
    lemma = side.words.lemmas[stated.change.about]
    quoted = []
    for one, head in zip(stated.pair.both, heads, strict=True):
        end = next(
            (at for at in range(head + 1, len(one.words.lemmas)) if one.words.lemmas[at] == lemma),
            None,
        )
        if end is None or end > head + MOST:
            return
        quoted.append(one.quote(range(head + 1, end + 1)))
    yield (
        f"{stated.texts[0]} is followed by {quoted[0]} in sentence 1 and by {quoted[1]} in "
        "sentence 2."
    )


def _marker(stated: _Stated) -> Iterator[str]:
    """State which preposition or conjunction changed, with its phrase where that is the same."""
    change, (first, second) = stated.change, stated.pair.both
    if not (change.tokens1 and change.tokens2):
        if change.relation is not EQ:
            yield from stated.became()
        return
    at1, at2 = change.tokens1[-1], change.tokens2[-1]
    if first.tree and second.tree:
        head1, head2 = first.tree[at1].head, second.tree[at2].head
        if min(head1, head2) >= 0 and not stated.pair.related(head1, head2):
            yield from stated.alone()
            return
    length = change.about - (at1 if stated.sides[0] is first else at2)
    if 0 < length <= MOST:
        span1, span2 = range(at1, at1 + length + 1), range(at2, at2 + length + 1)
        fits = span1.stop <= len(first.words.forms) and span2.stop <= len(second.words.forms)
        if fits and same_words(span1[1:], first.spell, span2[1:], second.spell):
            yield f"{first.quote(span1)} became {second.quote(span2)}{stated.scope}."
            return
    yield from stated.became()


def _moved(stated: _Stated) -> Iterator[str]:
    first, second = stated.pair.both
    at1, at2 = stated.change.tokens1[0], stated.change.tokens2[0]
    if stated.change.relation is IND and first.tree and second.tree:
        yield from _attached(stated.pair, [at1], first.tree[at1].head, second.tree[at2].head)


def _attached(pair: _Pair, tokens: Iterable[int], head1: int, head2: int) -> Iterator[str]:
    """State what words belong to in either sentence."""
    text = pair.first.quote(tokens, gap=0)
    first = pair.first.quote(pair.first.whole(head1, names=True))
    second = pair.second.quote(pair.second.whole(head2, names=True))
    if min(head1, head2) >= 0 and first != second:
        go = "go" if '" and "' in text else "goes"
        yield f"{text} {go} with {first} in sentence 1 and with {second} in sentence 2."


WORDINGS: Mapping[Sort, Callable[[_Stated], Iterator[str]]] = MappingProxyType(
    {
        Sort.WORD: _word,
        Sort.UNKNOWN: _word,
        Sort.SIBLING: _word,
        Sort.NEGATION: _negation,
        Sort.QUANTIFIER: _quantifier,
        Sort.SIGNATURE: _signature,
        Sort.MARKER: _marker,
        Sort.MOVED: _moved,
    }
)
"""How to put edits into words; others by what became what, or what only one sentence says."""


def reasons(
    label: Label,
    compared: Compared,
    derived: Derivation | None,
    spellers: tuple[Speller, Speller],
) -> tuple[str, ...]:
    """Return the reasons for a label, the strongest first.

    Args:
        label: The label.
        compared: The comparison of the sentences, in the order in which they were given.
        derived: Their derivation, in the same order; None without trees.
        spellers: How their words are written.
    """
    trees = (None, None) if derived is None else derived.trees
    words1, words2 = compared.words1.words, compared.words2.words
    pair = _Pair(
        _Sentence(1, compared.words1, spellers[0], trees[0]),
        _Sentence(2, compared.words2, spellers[1], trees[1]),
        {words1[one.first]: words2[one.second] for one in compared.aligned},
    )
    if label is Label.UNRELATED:
        return tuple(map(visible, _of_shared_words(compared, pair)))
    found = _of_places(compared, pair)
    known = {
        (0, at)
        for edit in compared.edits
        if edit.kind.evidence is Evidence.PLACE and found
        for at in edit.before.tokens
    }
    changes = () if derived is None else derived.changes
    rank = {relation: place for place, relation in enumerate(SUPPORTS[label])}
    for minor in (False, True):
        if minor and found:
            break
        for change in sorted(
            (one for one in changes if _is_minor(one) is minor),
            key=lambda one: (rank.get(one.projected, len(rank)), -one.sure),
        ):
            stated = _Stated(change, pair)
            tokens = {(place, at) for place in (0, 1) for at in stated.tokens[place]}
            moved = change.sort in REPLACED and any((0, at) in known for at in change.tokens1)
            if moved or tokens <= known:
                continue
            if new := list(WORDINGS.get(change.sort, _Stated.became)(stated)):
                found += new
                known |= tokens
        if not minor:
            clear = bool(found)
    if not found:
        found = [*_of_edits(compared, pair)]
        clear = bool(found)
    found = [*dict.fromkeys(found)]
    found += _of_questions(compared)
    if not found or (not clear and label is not Label.SAME):
        found += _of_words(compared, label, pair, known)
    return tuple(map(visible, found[:MOST]))


def _is_minor(change: Change) -> bool:
    """Whether an edit makes a reason only where there is no other."""
    marker = change.sort is Sort.MARKER and change.relation is not NEG
    return marker or (change.sort is Sort.ARTICLE and change.relation is EQ)


def _of_shared_words(compared: Compared, pair: _Pair) -> Iterator[str]:
    """State which content words both sentences have."""
    first, second = (
        {
            side.words.lemmas[at]: at
            for at in side.words.words
            if side.words.tags[at] in CONTENT - {"NUM"}
        }
        for side in pair.both
    )
    same = sorted(at for lemma, at in first.items() if lemma in second)
    if not same:
        yield "They share no content word."
    elif len(same) == 1:
        yield f"The only content word they share is {pair.first.quote(same)}."
    else:
        few = "only " if len(same) <= MOST else ""
        words = _listed(pair.first.quote((at,)) for at in same)
        yield f"The {few}content words they share are {words}."


def _of_places(compared: Compared, pair: _Pair) -> list[str]:
    """State which words exchanged their roles, or else belong to others, or changed places."""
    first, second = pair.both
    edits = [
        edit
        for edit in compared.edits
        if edit.kind.evidence in (Evidence.PLACE, Evidence.ORDER) and edit.confidence >= SURE
    ]
    roles = [edit for edit in edits if edit.kind in ROLES and _has_known_roles(edit, pair)]
    names = dict.fromkeys(first.quote(first.whole(edit.before.tokens[0])) for edit in roles)
    if len(names) == len({edit.before.role for edit in roles}) == 2:
        return [f"{' and '.join(names)} exchanged their roles."]
    if found := list(dict.fromkeys(_of_attachments(edits, pair))):
        return found
    places = sorted(
        {
            (edit.before.tokens[0], edit.after.tokens[0])
            for edit in edits
            if same_words(edit.before.tokens, first.spell, edit.after.tokens, second.spell)
        }
    )
    again = sorted(places, key=lambda place: place[1])
    crossed = [one for one, two in zip(places, again, strict=True) if one != two]
    verbs = [place for place in crossed if first.words.tags[place[0]] == "VERB"]
    if len(crossed) - len(verbs) > 1:
        crossed = [place for place in crossed if place not in verbs]
    words = list(dict.fromkeys(first.quote(first.whole(one)) for one, _ in crossed))
    if len(words) == 2:
        return [f"{' and '.join(words)} changed places."]
    return [f"{_listed(words)} come in another order."] if len(words) > 2 else []


def _of_attachments(edits: Sequence[Edit], pair: _Pair) -> Iterator[str]:
    """State what words belong to; those with the same governors together."""
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
            for token1, token2 in zip(edit.before.tokens, edit.after.tokens, strict=True):
                tokens1.update(first.whole(token1))
                tokens2.update(second.whole(token2))
    for (anchor1, anchor2), (tokens1, tokens2) in together.items():
        if same_words(tokens1, first.spell, tokens2, second.spell):
            yield from _attached(pair, tokens1, anchor1, anchor2)


def _has_known_roles(edit: Edit, pair: _Pair) -> bool:
    """Whether the words of an edit are participants, with no preposition but "by"."""
    words = (edit.before, edit.after)
    if edit.before.anchor is None or edit.after.anchor is None:
        return False
    anchors = (edit.before.anchor,), (edit.after.anchor,)
    spellers = pair.first.spell, pair.second.spell
    return (
        all(
            same_words(tokens1, spellers[0], tokens2, spellers[1])
            for tokens1, tokens2 in (anchors, (edit.before.tokens, edit.after.tokens))
        )
        and {one.role for one in words} <= PARTICIPANTS
        and all(
            side.words.prepositions[token] in (None, "by")
            for side, one in zip(pair.both, words, strict=True)
            for token in one.tokens
        )
    )


def _of_edits(compared: Compared, pair: _Pair) -> Iterator[str]:
    """State what the comparison found, where there is nothing else."""
    for edit in compared.edits:
        apart = edit.kind.evidence in (None, Evidence.PLACE, Evidence.ORDER)
        if apart or edit.kind is Kind.QUESTION or edit.confidence < SURE:
            continue
        tokens1, tokens2 = (
            [*words.marks, *(at for token in words.tokens for at in side.whole(token, names=True))]
            for side, words in zip(pair.both, (edit.before, edit.after), strict=True)
        )
        if not (tokens1 and tokens2):
            yield from pair.first.only(pair.second, tokens1)
            yield from pair.second.only(pair.first, tokens2)
            continue
        text1, text2 = pair.first.quote(tokens1), pair.second.quote(tokens2)
        classes = [pair.first.words.tags[tokens1[-1]], pair.second.words.tags[tokens2[-1]]]
        if _plain(text1) == _plain(text2):
            continue
        if edit.kind is Kind.CONVERSION and {*classes} <= KINDS.keys():
            yield _conversion(text1, classes[0], text2, classes[1])
        else:
            yield f"{text1} became {text2}."


def _of_questions(compared: Compared) -> Iterator[str]:
    if compared.words1.question != compared.words2.question:
        yield f"Only sentence {1 if compared.words1.question else 2} is a question."


def _of_words(
    compared: Compared, label: Label, pair: _Pair, known: Container[tuple[int, int]]
) -> Iterator[str]:
    """State which words are the same, or differ, where there is no clear reason."""
    forms = [side.plain.split() for side in pair.both]
    if sorted(forms[0]) == sorted(forms[1]):
        same = label is Label.SAME or forms[0] == forms[1]
        yield "The words are the same." if same else "Only the order of the words differs."
    elif label is Label.SAME and len(compared.aligned) == len(compared.words1.words) == len(
        compared.words2.words
    ):
        yield "The content words are the same or similar."
    else:
        for side, other in (pair.both, pair.both[::-1]):
            yield from _of_rest(side, other, known)
        once = {form for form in forms[0] if forms[0].count(form) == forms[1].count(form) == 1}
        first, second = ([form for form in some if form in once] for some in forms)
        if first != second:
            yield "The words that they share come in another order."


def _of_rest(side: _Sentence, other: _Sentence, known: Container[tuple[int, int]]) -> Iterator[str]:
    """State which words one sentence has alone, or has more often."""
    more = Counter(side.words.forms) - Counter(other.words.forms)
    place = side.number - 1
    tokens = [
        at for at, form in enumerate(side.words.forms) if form in more and (place, at) not in known
    ]
    alone = [at for at in tokens if other.lacks(side, (at,))]
    if 0 < len(alone) <= MOST:
        words = _listed(side.quote((at,)) for at in alone)
        yield f"Only sentence {side.number} says {words}."
    often = [at for at in tokens if side.words.forms[at] in other.words.forms]
    if often and not alone and any(map(str.isalnum, side.words.forms[often[0]])):
        yield f"Sentence {side.number} says {side.quote(often[:1])} more often."
