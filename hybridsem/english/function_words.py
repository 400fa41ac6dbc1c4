"""What English function words mean beside each other: classes, opposite poles, scales.

    AXES      before, until < 0 < after, since     two words on opposite sides are opposed
    SCALES    no 0, few, some, many, most, all 1    two words are opposed by how far apart they are,
                                                    and the more if one of them denies
    CLASSES   toward, to, into: a goal              words that may stand for each other

WordNet has none of this: prepositions, conjunctions, modals, quantifiers, and the adverbs like
them. The inventory is that of the tags ADP, SCONJ, CCONJ, DET, AUX and PART in UD English EWT train
with what the grammars list besides. Where a word stands on an axis or scale is set by hand: a
number after a colon is how much of the meaning it has, and without one it has all of it. Words are
in lower case; a compound stands under its words ("in front of").
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from hybridsem.english.words import MODALS, NEGATORS, NOT, PRONOUNS, VARIANTS

__all__ = [
    "AXES",
    "BROAD",
    "CLASSES",
    "FUNCTION_CLASSES",
    "SCALES",
    "Degree",
    "alike",
    "opposed",
    "same_class",
]

SLIGHTLY = 0.25
"""Words that are opposed no more than this may still be alike: "many" and "most"."""
DENIAL = 0.5
"""What it counts that one of two words on a scale denies and the other does not."""


class Degree(NamedTuple):
    """Where a word is on a scale: from 0, none, to 1, all; ``denies``: it makes a negative clause,
    as "few" and "hardly" do.
    """

    value: float
    denies: bool = False


def _weighted(text: str) -> dict[str, float]:
    """Words, separated by commas, each with a number after a colon or 1."""
    entries = (entry.strip().partition(":") for entry in " ".join(text.split()).split(","))
    return {word: float(number) if number else 1.0 for word, _, number in entries}


def _axis(low: str, high: str) -> Mapping[str, float]:
    """Words on the negative and on the positive side."""
    return MappingProxyType(
        {word: -value for word, value in _weighted(low).items()} | _weighted(high)
    )


def _scale(affirming: str, denying: str) -> Mapping[str, Degree]:
    affirm = {word: Degree(value) for word, value in _weighted(affirming).items()}
    return MappingProxyType(
        affirm | {word: Degree(value, True) for word, value in _weighted(denying).items()}
    )


AXES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        # time
        "order in time": _axis(
            "before, prior to, until, till, up to:.5, ahead of:.7, by:.3, earlier than, "
            "in advance of, previously, earlier, beforehand, in advance, ago:.7",
            "after, since:.8, following, from:.3, as of:.4, subsequent to, later than, past:.5, "
            "once:.5, afterwards, afterward, later, subsequently, thereafter, hence:.3",
        ),
        "past and future": _axis(
            "yesterday, ago, last, previous, previously, formerly, past, then:.3",
            "tomorrow, next, future, soon:.7, shortly:.7, upcoming, coming",
        ),
        "already and yet": _axis(
            "yet:.3, not yet, no longer:.5, anymore:.5, any more:.5", "already"
        ),
        "still": _axis("no longer, anymore, any more, any longer, no more", "still"),
        "early and late": _axis("early", "late"),
        # place
        "vertical": _axis(
            "below, under, beneath, underneath, at the bottom of, downstairs, beneath",
            "above, over, on top of, atop, at the top of, upstairs, on:.5, upon:.5, overhead",
        ),
        "up and down": _axis(
            "down, downward, downwards, downhill, downstairs, downstream, off:.3",
            "up, upward, upwards, uphill, upstairs, upstream",
        ),
        # "in the street" is outside: "in" alone is the opposite of "out", and little of "outside"
        "inside and outside": _axis(
            "outside, outside of, outdoors, out of:.6, beyond:.6, off:.3, abroad:.5, outward, "
            "outwards",
            "inside, inside of, indoors, within:.6, into:.3, in:.3, inward, inwards",
        ),
        "in and out": _axis("out, out of, off:.2", "in, in to:.8, into:.8"),
        "contact": _axis("off, off of, away from:.6, out of:.3", "on, upon, onto, aboard, on to"),
        "front and back": _axis(
            "behind, in back of, at the back of, back:.5, rear",
            "in front of, in front, before:.6, ahead of, ahead, at the front of, front",
        ),
        "near and far": _axis(
            "far from, away from, far, away, far away, beyond:.5, distant",
            "near, near to, close to, next to, beside, by:.6, at:.4, alongside, adjacent to, "
            "nearby, close, around:.3, close by, here:.3",
        ),
        "left and right": _axis("left, to the left of, on the left of", "right, to the right of"),
        "here and there": _axis("there, that, those, over there, then:.3", "here, this, these"),
        "north and south": _axis("south, southern, southward", "north, northern, northward"),
        "east and west": _axis("west, western, westward", "east, eastern, eastward"),
        "sides": _axis("across from:.3, opposite:.3", "beside:.6, alongside, next to:.6"),
        # movement
        "source and goal": _axis(
            "from, out of, off:.7, away from, off of:.7, from within",
            "to, into, onto, toward, towards, unto, for:.3, up to, until:.3, in to, on to, at:.3",
        ),
        "into and out of": _axis("out of, out, from:.6", "into, in:.6, in to, inside:.6"),
        "onto and off": _axis("off, off of, from:.3, down from", "onto, on, on to, aboard"),
        "forward and back": _axis(
            "back, backward, backwards, in reverse", "forward, forwards, ahead, onward, onwards"
        ),
        "towards and away": _axis(
            "away from, away, from:.6, off:.4", "toward, towards, to, closer to"
        ),
        # states
        "on and off": _axis("off", "on"),
        "with and without": _axis(
            "without, apart from:.5, minus, lacking, w/o, free of, devoid of, alone:.7, less:.3",
            "with, along with, together with, plus, including:.7, accompanied by, alongside:.6, "
            "together:.7, as well as:.6",
        ),
        "together": _axis(
            "apart, separately, individually, alone", "together, jointly, collectively"
        ),
        "for and against": _axis(
            "against, versus:.6, vs.:.6, vs:.6, in opposition to, opposed to, contrary to, anti",
            "for, in favor of, in favour of, pro, on behalf of, in support of, behind:.4",
        ),
        "except and including": _axis(
            "except, except for, but:.4, apart from, aside from, excluding, other than, bar, save, "
            "but for, with the exception of, excepting, not including",
            "including, included, besides:.6, in addition to, as well as, along with, plus, "
            "such as:.5, together with, also",
        ),
        "like and unlike": _axis(
            "unlike, in contrast to, as opposed to, instead of:.6, rather than:.6, different from, "
            "contrary to, otherwise, differently",
            "like, as:.4, similar to, just like, just as, similarly, likewise, alike",
        ),
        "instead and besides": _axis(
            "instead of, rather than, in place of, in lieu of, as opposed to, instead, not",
            "as well as, and, in addition to, along with, besides, also, too",
        ),
        # clauses
        "if and unless": _axis(
            "unless, except if, but for:.7, lest:.4",
            "if, provided, provided that, providing, as long as, so long as, on condition that, "
            "given that:.6, in case:.5, assuming, when:.3, whenever:.3, once:.3, only if, "
            "in the event that, suppose, supposing",
        ),
        "because and although": _axis(
            "although, though, even though, despite, in spite of, notwithstanding, while:.3, "
            "whereas:.3, even if, nevertheless, nonetheless, however:.5, still:.3, yet:.5, "
            "regardless of, albeit, despite the fact that, whilst:.3, regardless, but:.3",
            "because, because of, since:.6, as:.4, due to, owing to, thanks to, for:.3, cause, "
            "on account of, as a result of, given:.5, given that:.7, now that:.6, in view of, "
            "in light of, out of:.2, therefore:.6, thus:.6, hence:.6, so:.5, consequently, "
            "accordingly, inasmuch as, seeing that, by virtue of",
        ),
        "cause and result": _axis(
            "so:.8, so that:.7, therefore, thus, hence, consequently, accordingly, as a result, "
            "thereby, such that",
            "because, since:.7, as:.4, because of, due to, owing to, thanks to, as a result of, "
            "cause, for:.3",
        ),
        "and or": _axis("or:.6, either:.6", "and:.8, both:.8, as well as:.8, plus:.8, &:.8"),
        "or and nor": _axis("nor, neither", "or, either, and:.8, both"),
        "more and less": _axis(
            "less, fewer, least, fewest, lower", "more, most, greater, higher, further"
        ),
        "limits": _axis(
            "at most, less than, fewer than, under:.6, below:.6, no more than, up to, maximum, "
            "not more than, within:.4, a maximum of",
            "at least, more than, over:.6, above:.6, no less than, no fewer than, minimum, "
            "in excess of, upwards of, not less than, a minimum of",
        ),
        "others": _axis("other, others, another, different, else", "same, very:.3, identical"),
        "first and last": _axis(
            "last, final, lastly, finally", "first, initial, firstly, initially"
        ),
        "yes and no": _axis("no, nope, nah", "yes, yeah, yep, ok:.5, okay:.5"),
    }
)
"""Axis -> word -> where it is, from -1 to 1."""

SCALES: Mapping[str, Mapping[str, Degree]] = MappingProxyType(
    {
        "quantity": _scale(
            "all, every, each, both, whole, entire, any:.6, most:.8, majority:.7, half:.5, "
            "many:.65, much:.65, lots:.65, a lot of:.65, lots of:.65, plenty:.65, plenty of:.65, "
            "a lot:.65, numerous:.65, several:.4, various:.4, multiple:.4, some:.3, certain:.3, "
            "enough:.5, a few:.2, a little:.2, a couple of:.2, couple:.2, a bit:.2, "
            "a number of:.4, one:.1, another:.1, either:.5, other:.3, dozens:.5, hundreds:.6, "
            "thousands:.7, countless:.7, innumerable:.7, a:.1, an:.1, quite a few:.5, "
            "a great deal of:.65, minority:.25, sufficient:.5, ample:.6",
            "no:0, none:0, neither:0, zero:0, not any:0, nary:0, few:.15, little:.15, "
            "hardly any:.05, not all:.7, not every:.7, not many:.2, not much:.2, insufficient:.2",
        ),
        "persons": _scale(
            "everyone, everybody, all, each, most:.8, many:.6, several:.4, anyone:.6, anybody:.6, "
            "someone:.3, somebody:.3, some:.3, one:.2, whoever:.6",
            "nobody:0, no one:0, no-one:0, noone:0, none:0, few:.15",
        ),
        "things": _scale(
            "everything, all, most:.8, much:.6, anything:.6, something:.3, some:.3, whatever:.6",
            "nothing:0, none:0, little:.15, naught:0",
        ),
        "places": _scale(
            "everywhere, all over, anywhere:.6, somewhere:.3, wherever:.6, throughout", "nowhere:0"
        ),
        "frequency": _scale(
            "always, ever:.5, constantly, continually, continuously, invariably, every time, "
            "forever, perpetually, all the time, whenever:.9, generally:.8, usually:.8, "
            "normally:.8, typically:.8, mostly:.8, routinely:.75, regularly:.75, frequently:.7, "
            "often:.7, repeatedly:.6, many times:.6, again:.4, again and again:.6, sometimes:.4, "
            "at times:.4, occasionally:.3, periodically:.4, once in a while:.3, now and then:.3, "
            "from time to time:.3, sometime:.2, once:.1, twice:.15, sporadically:.3, "
            "intermittently:.35, consistently:.9",
            "never:0, rarely:.1, seldom:.1, hardly ever:.05, infrequently:.15, barely ever:.05, "
            "not always:.7, not often:.2, at no time:0",
        ),
        "degree": _scale(
            "completely, totally, fully, entirely, absolutely, wholly, utterly, perfectly, "
            "thoroughly, altogether, in full, extremely:.9, incredibly:.9, almost:.9, nearly:.9, "
            "virtually:.9, practically:.9, just about:.9, highly:.8, very:.8, really:.75, "
            "greatly:.8, deeply:.8, largely:.8, mostly:.8, mainly:.8, so:.7, too:.8, quite:.6, "
            "pretty:.6, rather:.6, considerably:.7, significantly:.7, substantially:.7, fairly:.5, "
            "reasonably:.5, moderately:.5, enough:.5, half:.5, somewhat:.4, partly:.4, "
            "partially:.4, kinda:.4, kind of:.4, sort of:.4, a little:.3, a bit:.3, slightly:.2, "
            "marginally:.2, minimally:.15, overly:.9, sufficiently:.5, much:.7, a lot:.7, "
            "especially:.8, particularly:.8, exceptionally:.9, immensely:.9, in part:.4, even:.5, "
            "such:.7, all:.9, least:.1",
            "not:0, n't:0, hardly:.05, barely:.05, scarcely:.05, not at all:0, in no way:0, "
            "not very:.2, little:.15, insufficiently:.2",
        ),
        "certainty": _scale(
            "certainly, definitely, surely, undoubtedly, clearly:.95, obviously:.95, of course, "
            "indeed:.95, necessarily, inevitably, evidently:.9, sure:.9, undeniably, probably:.75, "
            "likely:.75, presumably:.7, apparently:.7, seemingly:.6, supposedly:.5, reportedly:.6, "
            "allegedly:.5, perhaps:.45, maybe:.45, possibly:.4, potentially:.4, conceivably:.3, "
            "hopefully:.5, doubtless, truly:.95, really:.9, actually:.9",
            "unlikely:.15, improbably:.1, impossibly:0, doubtfully:.2, not:0, n't:0, hardly:.1",
        ),
        "necessity": _scale(
            "must, have to, has to, had to, shall:.8, need to:.9, need:.9, ought:.7, ought to:.7, "
            "should:.7, be supposed to:.7, had better:.75, required to, be to:.8, will:.9, may:.4, "
            "can:.4, might:.3, could:.35, be able to:.4, be allowed to:.4, dare:.4, would:.6, "
            "got to, gotta, hafta, supposed:.7",
            "cannot:0, need not:.5, mustn't:0",
        ),
        "accuracy": _scale(
            "exactly, precisely, just, right:.9, sharp, on the dot, about:.7, around:.7, "
            "roughly:.7, approximately:.7, circa:.7, some:.7, nearly:.8, almost:.8, close to:.8, "
            "or so:.7, ish:.7",
            "not quite:.8",
        ),
        "exclusion": _scale(
            "only, just, merely, solely, simply:.9, exclusively, alone, purely, mainly:.7, "
            "mostly:.7, primarily:.7, especially:.5, particularly:.5, also:.1, too:.1, even:.1, "
            "as well:.1, including:.2, in addition:.1, additionally:.1, not only:.1, "
            "among others:.1",
            "not even:.1",
        ),
    }
)
"""Scale -> word -> where it is."""

_CLASSES: Mapping[str, str] = {
    # prepositions, by sense
    "time": "at, in, on, during, around, by, about, for, over, through, throughout, within, "
    "between, since, from, until, till, before, after, past, to, amid, as of, pending, circa, "
    "upon, inside",
    "duration": "for, during, throughout, over, within, through, in, while, until, till, since",
    "place": "at, in, on, by, near, around, about, within, inside, along, upon, throughout, "
    "between, among, amongst, amid, amidst, over, above, under, below, behind, beside, beyond, "
    "outside, across, through, off, against, aboard, atop, beneath, underneath, next to, "
    "in front of, opposite, next, @, past, round, up, down, where, wherever, close to, alongside, "
    "in the middle of, inside of, out",
    "surface": "on, onto, upon, on top of, atop, over, across, against, above",
    "interior": "in, inside, within, into, inside of, at, throughout, among",
    "among": "among, amongst, between, amid, amidst, in the middle of, of, out of, in the midst of",
    "path": "through, thru, across, over, along, via, by way of, past, around, round, down, up, "
    "under, beyond, throughout, by, about",
    "goal": "to, into, onto, toward, towards, unto, for, at, in, on, up to, in to, on to, upon",
    "source": "from, out of, off, of, off of, out, away from",
    "recipient": "to, for, unto, on behalf of",
    "topic": "about, on, of, concerning, regarding, over, re, as to, with regard to, in regard to, "
    "with respect to, around, in relation to, relating to, as for, in terms of, related to",
    "agent": "by, from, through, at the hands of",
    "instrument": "with, by, via, through, using, by means of, on, in, thru, with the help of",
    "accompaniment": "with, along with, together with, alongside, in the company of, and, w, w/",
    "possession": "of, 's, ’s, with, s, ', belonging to, by, ’, o",
    "material": "of, from, out of, with, in",
    "part": "of, in, from, among, out of, within",
    "beneficiary": "for, on behalf of, in favor of, in favour of, to, in aid of",
    "purpose": "for, to, so, so that, in order to, in order that, so as to, in order, "
    "for the sake of, towards",
    "cause": "because, because of, due to, owing to, thanks to, from, for, of, out of, with, over, "
    "by, since, as, cause, on account of, as a result of, given, through, now that, under",
    "concession": "although, though, even though, despite, in spite of, while, whereas, whilst, "
    "but, yet, however, nevertheless, nonetheless, notwithstanding, albeit, even if, "
    "regardless of, with, much as, no matter, then again, still",
    "condition": "if, unless, provided, provided that, providing, as long as, so long as, in case, "
    "assuming, supposing, suppose, on condition that, whether, in the event of, should, when, "
    "given, given that, once, lest, otherwise, only if",
    "result": "so, so that, therefore, thus, hence, consequently, accordingly, as a result, "
    "such that, thereby, then, into, to",
    "comparison": "than, as, like, unlike, compared to, compared with, against, to, then, beside, "
    "over",
    "standard": "according to, by, per, as per, in accordance with, in line with, under, after, "
    "on, following, based on, depending on, pursuant to",
    "role": "as, in the role of, like, into, for",
    "rate": "per, a, an, each, every, @, at, by, to, for, times",
    "opponent": "against, versus, vs, vs., v., v, with, over, to, anti, opposite",
    "exception": "except, except for, but, besides, apart from, aside from, excluding, save, "
    "other than, bar, minus, beyond, outside of, without, beside",
    "addition": "besides, in addition to, as well as, plus, along with, together with, and, also, "
    "too, on top of, furthermore, moreover, beyond, with, additionally, let alone, including, "
    "likewise",
    "replacement": "instead of, in place of, for, rather than, in lieu of, on behalf of, instead",
    "example": "such as, like, including, for example, for instance, e.g., say, i.e., namely, "
    "such, eg",
    "direction": "up, down, to, toward, towards, back, out, away, off, in, into, forward, along, "
    "on, over, through, around, apart, together, aside, forth, by, across, onto, about, round, "
    "under",
    "particle": "up, out, off, down, over, on, in, away, back, around, through, along, by, about, "
    "apart, together, aside, forward, forth, ahead, across, under, behind, past, after, round, "
    "without, to",
    # conjunctions and what is tagged so
    "coordination": "and, or, but, nor, &, plus, yet, both, either, neither, as well as, for, so, "
    "an, n, and/or, not only, rather than, along with, let alone, minus, times, versus, vs, nd, "
    "then, et",
    "clause of time": "when, while, as, before, after, since, until, till, once, whenever, whilst, "
    "as soon as, by the time, now that, upon, on, in, the moment, every time, over, at, whereupon",
    "clause of manner": "as, like, as if, as though, how, the way, by, without, with, just as, "
    "that",
    "complement": "that, whether, if, for, to, of, how, about, on, like, in, at, from, into, over, "
    "upon, by, as, with",
    "relative": "who, whom, whose, which, that, where, when, why, what, whoever, whatever, "
    "whichever, wherever, how, whomever, as",
    "question": "who, whom, whose, which, what, where, when, why, how, whether, if",
    # determiners and pronouns
    "article": "a, an, the, de, le, la, el, th, teh, thee",
    "demonstrative": "this, that, these, those, such, same, here, there, yonder, then",
    "expletive": "it, there",
    "reciprocal": "each other, one another",
    # auxiliaries
    "copula": "be, become, remain, stay, seem, get",
    "voice and aspect": "be, have, get, do, keep, 's, been",
    "support": "do, does, did",
    "future": "will, shall, would, going to, gonna, about to, be to, gon",
    "ability": "can, could, be able to, cannot, may, might, able",
    "permission": "can, may, could, might, be allowed to, must, let, shall",
    "obligation": "must, have to, should, ought, ought to, need, need to, shall, be supposed to, "
    "had better, got to, gotta, hafta, would, has to, had to, will, dare, better, supposed",
    "possibility": "may, might, could, can, must, will, would, should, perhaps, maybe, possibly",
    "habit": "will, would, used to, used",
    "infinitive": "to, na, ta, in order to, so as to, a",
}

CLASSES: Mapping[str, frozenset[str]] = MappingProxyType(
    {name: frozenset(_weighted(text)) for name, text in _CLASSES.items()}
    | {
        "negation": frozenset(NEGATORS | NOT | {"without", "non", "hardly", "barely", "scarcely"}),
        "personal pronoun": frozenset(form for forms in PRONOUNS.values() for form in forms[:2]),
        "possessive pronoun": frozenset(form for forms in PRONOUNS.values() for form in forms[2:4]),
        "reflexive pronoun": frozenset(forms.reflexive for forms in PRONOUNS.values()),
        "modal": frozenset(MODALS),
    }
)
"""Class -> words."""


def _by_word() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for table in (AXES, SCALES, CLASSES):
        for name, words in table.items():
            for word in words:
                found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


BROAD = frozenset(
    {
        "time",
        "place",
        "direction",
        "particle",
        "coordination",
        "clause of time",
        "complement",
        "relative",
        "question",
        "demonstrative",
        "personal pronoun",
        "possessive pronoun",
        "reflexive pronoun",
        "copula",
        "voice and aspect",
        "modal",
    }
)
"""Classes whose words do the same with different meanings."""

FUNCTION_CLASSES: Mapping[str, frozenset[str]] = MappingProxyType(_by_word())
"""Word -> the axes, scales and classes that it is in."""


def _known(word: str) -> str:
    """A word as the tables have it: spelled as usual, a compound also without its last word."""
    lower = " ".join(word.lower().replace("’", "'").split())
    lower = VARIANTS.get(lower, lower)
    if lower not in FUNCTION_CLASSES and lower in MODALS:
        lower = MODALS[lower]
    if lower not in FUNCTION_CLASSES:
        whole = next(
            (f"{lower} {end}" for end in ("of", "to") if f"{lower} {end}" in FUNCTION_CLASSES), None
        )
        return whole or lower
    return lower


@lru_cache(65_536)
def opposed(word1: str, word2: str) -> float:
    """How far two function words are opposed, from 0, not at all, to 1.

    The largest of what they are on the axes and scales that both are on: on an axis the product of
    their distances from its middle if they are on different sides; on a scale half the distance
    between them, and 0.5 more if one of them denies.

    Args:
        word1: In lower case.
        word2: In lower case.

    >>> opposed("before", "after"), opposed("before", "in")
    (1.0, 0.0)
    """
    first, second = _known(word1), _known(word2)
    if first == second:
        return 0.0
    found = [0.0]
    for axis in AXES.values():
        if first in axis and second in axis:
            found.append(-min(0.0, axis[first] * axis[second]))
    for scale in SCALES.values():
        if first in scale and second in scale:
            one, other = scale[first], scale[second]
            denied = DENIAL if one.denies != other.denies else 0.0
            found.append((1 - DENIAL) * abs(one.value - other.value) + denied)
    return max(found)


@lru_cache(65_536)
def same_class(word1: str, word2: str) -> bool:
    """Whether two words are the same or of one kind: on one axis or scale, or in one class.

    Whether one may stand for the other is what :func:`alike` says.

    Args:
        word1: In lower case.
        word2: In lower case.

    >>> same_class("in", "out"), same_class("in", "and")
    (True, False)
    """
    first, second = _known(word1), _known(word2)
    none: frozenset[str] = frozenset()
    shared = FUNCTION_CLASSES.get(first, none) & FUNCTION_CLASSES.get(second, none)
    return first == second or bool(shared)


@lru_cache(65_536)
def alike(word1: str, word2: str) -> bool:
    """Whether one word may stand where the other does with the same meaning.

    They are the same, share a class that is not :data:`BROAD`, are on the same side of an axis, or
    near each other on a scale; words that are opposed more than :data:`SLIGHTLY` are not.

    Args:
        word1: In lower case.
        word2: In lower case.

    >>> alike("toward", "to"), alike("before", "after")
    (True, False)
    """
    first, second = _known(word1), _known(word2)
    if first == second:
        return True
    if opposed(first, second) > SLIGHTLY:
        return False
    shared = FUNCTION_CLASSES.get(first, frozenset()) & FUNCTION_CLASSES.get(second, frozenset())
    return any(
        AXES[name][first] * AXES[name][second] > 0 if name in AXES else name not in BROAD
        for name in shared
    )
