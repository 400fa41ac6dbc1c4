"""What verbs, adjectives and nouns imply of their complements.

    fail to    -+    "He failed to come": he did not come. "He did not fail to come": he came.
    know that  ++    "She knows (does not know) that it rains": it rains.
    want to    oo    nothing either way

A signature has what follows, ``+`` the complement, ``-`` its negation, ``o`` neither, where the
word is affirmed, and where it is denied. The classes, with most of their members, are those of
Karttunen (1971, 2012) and of Nairn, Condoravdi & Karttunen (2006).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from hybridsem._utils.tables import word_set

__all__ = ["DENIALS", "DOWNWARD", "RAISING", "SIGNATURES", "Complement", "signature"]


class Complement(StrEnum):
    """The form of a complement: "to come", "that it rains", "coming", "his visit"."""

    TO = "to"
    THAT = "that"
    ING = "ing"


_CLASSES = {
    "to ++": "glad sorry happy sad proud ashamed delighted pleased surprised shocked amazed lucky "
    "fortunate odd strange regret stupid smart clever kind wise foolish nice rude brave",
    "to +-": "manage remember bother get dare deign happen proceed begin start come use turn "
    "condescend contrive care stoop continue see",
    "to +o": "force cause compel oblige lead drive make persuade induce prompt provoke have "
    "coerce bring inspire trick help hasten rush serve go grow live",
    "to -+": "fail forget neglect omit unable",
    "to -o": "refuse decline impossible powerless incapable",
    "to --": "pretend feign",
    "to o-": "able permit allow enable let authorize authorise possible eligible free qualified "
    "capable power",
    "to o+": "hesitate",
    "to oo": "want hope wish plan intend try attempt seek agree promise threaten expect decide ask "
    "tell order invite encourage urge request need prefer like love learn offer swear choose "
    "consent desire long yearn aim mean prepare struggle strive advise beg command challenge "
    "instruct recommend require teach warn claim believe suppose think say report seem appear tend "
    "likely unlikely afraid reluctant eager keen ready willing hard difficult easy anxious due "
    "bound apt prone determined supposed hate loathe fear dread",
    "that ++": "know realize realise regret notice discover learn remember forget reveal see "
    "recognise recognize understand acknowledge resent observe perceive find hear aware glad sorry "
    "happy sad proud surprised shocked amazed delighted pleased angry upset disappointed odd "
    "strange sorry lucky fortunate pity shame matter mind appreciate recall grasp deplore",
    "that +o": "prove show confirm verify demonstrate establish ensure admit concede true clear "
    "obvious certain evident mean imply certify",
    "that -o": "false disprove refute impossible untrue",
    "that --": "pretend",
    "that oo": "believe think suppose guess say claim report suspect expect hope fear worry assume "
    "argue suggest imagine dream feel announce write state maintain insist declare predict doubt "
    "deny dispute allege tell ask wonder conclude estimate presume wish promise swear propose "
    "recommend possible likely unlikely probable seem appear agree warn consider speculate decide",
    "ing ++": "regret remember forget enjoy resent love like hate dislike keep mind appreciate "
    "continue resume finish complete practise practice",
    "ing +-": "start begin bother",
    "ing -+": "avoid refrain abstain escape",
    "ing -o": "stop quit cease prevent prohibit ban forbid bar keep hinder deter dissuade "
    "discontinue abandon",
    "ing oo": "consider suggest recommend discuss imagine propose contemplate advocate deny fear "
    "dread discourage resist oppose risk postpone delay",
}

SIGNATURES: Mapping[tuple[str, Complement], str] = MappingProxyType(
    {
        (word, Complement(name.split()[0])): name.split()[1]
        for name, words in _CLASSES.items()
        for word in words.split()
    }
)
"""Signatures by lemma and complement."""

DENIALS = frozenset(
    key
    for key, known in SIGNATURES.items()
    if known == "-+"
    or (known == "-o" and key in {("refuse", Complement.TO), ("decline", Complement.TO)})
)
"""Verbs with a complement, by their lemmas and its form, whose affirmation denies it."""

DOWNWARD = word_set(
    "fail forget neglect omit unable refuse decline impossible powerless incapable hesitate "
    "unlikely afraid reluctant hate loathe fear dread doubt deny dispute disprove refute avoid "
    "refrain abstain escape stop quit cease prevent prohibit ban forbid bar hinder deter dissuade "
    "discourage resist oppose false untrue lack reject pretend absence hard difficult "
    "ignore exclude lacking devoid free abandon discontinue dislike scarce rarely"
)
"""Words whose complement and object are more general where the whole is more specific."""

RAISING = word_set(
    "think believe suppose expect guess imagine feel want seem appear likely intend plan probable "
    "reckon look wish choose advise"
)
"""Words whose negation is understood of the complement: "I don't think that it works"."""


def signature(lemma: str, complement: Complement) -> str | None:
    """The signature of a word, None where it has none.

    >>> signature("forget", Complement.TO), signature("forget", Complement.THAT)
    ('-+', '++')
    """
    return SIGNATURES.get((lemma, complement))
