"""Negation toggled by patterns: a sentence that denies affirms, one that affirms denies.

Tables of English words, no parser: in each sentence the first word that they know is exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.sentences import sentences
from hybridsem.english.words import CLITICS, MODAL_VERBS, PRONOUNS

FINITE_AUXILIARIES = (
    *("am", "is", "are", "was", "were"),
    *("has", "have", "had"),
    *("do", "does", "did"),
    *MODAL_VERBS,
)
SHORT = rf"(?:{'|'.join(PRONOUNS)}|that|there)['’](?:{'|'.join(CLITICS)})"
"""A pronoun with an auxiliary: ``she's``, ``they'll``."""

CONTRACTED = {
    f"{verb}n't": verb
    for verb in FINITE_AUXILIARIES
    if verb not in ("am", "may", "will", "can", "shall")
}
CONTRACTED |= {
    "won't": "will",
    "can't": "can",
    "cannot": "can",
    "shan't": "shall",
    "needn't": "need",
    "ain't": "is",
}
PLAIN = {written.replace("'", ""): verb for written, verb in CONTRACTED.items()}
"""As they stand, and without an apostrophe: ``dont``."""

AFFIRMED = {
    "never": "always",
    "no longer": "still",
    "no one": "someone",
    "nobody": "somebody",
    "nothing": "something",
    "nowhere": "somewhere",
    "none": "all",
    "no": "some",
    "neither": "both",
    "without": "with",
}
"""Words that deny, and what affirms in their place."""

DENIED = {affirms: denies for denies, affirms in AFFIRMED.items()}
DENIED |= {
    "everyone": "no one",
    "everybody": "nobody",
    "everything": "nothing",
    "everywhere": "nowhere",
    "every": "no",
}

PASTS = """
    said told went took came gave knew became began wrote ran spoke grew fell broke drove drew chose
    threw wore ate flew sang swam shook stole forgot hid rode woke froze tore arose blew undertook
    overcame underwent overtook swore sprang sank shrank drank rang mistook withdrew foresaw undid
"""
"""Forms that are the verb of a sentence wherever they stand, and hardly ever a participle."""
SAME_PASTS = "put cut set let hit read cost shut hurt spread quit bet beat cast"
"""Pasts that are written as the infinitive."""
OBJECTS = (
    "the a an his her their its my our your this these those him them us me it himself "
    "herself itself"
)
"""What begins an object: a form in -ed before it is a past and no participle."""
ADVERBS = "also still just even often always now then soon first later once only"
NO_VERBS = """
    and or but nor to of in on at by for with from as that which who whom whose the a an all both
    each two three four too than there here if so when where why how like because while until before
    after about into over under out up off down himself herself myself themselves ourselves either
    more most less least almost pretty sure perhaps maybe alone together ones yet
"""
"""What may follow a pronoun and is no verb."""


def _any(words: Iterable[str]) -> str:
    """A pattern for any of the words, longest first, with any apostrophes and blanks."""
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(longest_first).replace("'", "['’]?").replace(" ", r"\s+")


_END = r"\b(?!['’]\w)"
_AUXILIARY = rf"(?P<verb>{SHORT}|{_any(FINITE_AUXILIARIES)})"
_DENYING = re.compile(
    rf"\b(?:(?P<contracted>{_any(CONTRACTED)})|{_AUXILIARY}\s+not|(?P<word>{_any(AFFIRMED)})(?!,)){_END}"
    r"|(?<=\w)(?<!\bor)(?<!\bif)(?<!\bwhy)(?<!\bbut)(?<!\bthan)(?P<alone>\s+not)\b(?!\s+(?:only|just|least|merely)\b)",
    re.IGNORECASE,
)
_VERB = re.compile(rf"\b{_AUXILIARY}{_END}", re.IGNORECASE)
_AFFIRMING = re.compile(rf"\b(?P<word>{_any(DENIED)}){_END}", re.IGNORECASE)
_FULL_VERB = re.compile(
    rf"(?i:\b(?P<pronoun>i|we|they|he|she))\s+(?:(?:\w+ly|{_any(ADVERBS.split())})\s+)?(?P<after>[a-z]+){_END}"
    rf"|\b(?P<past>{_any(PASTS.split())}){_END}"
    rf"|\b(?P<before>[a-z]{{2,}}[^e\W]ed)(?=\s+(?:{_any(OBJECTS.split())})\b)"
)


def toggled(text: str) -> str:
    """The text with each sentence's polarity turned; a sentence in which no pattern is found stays
    as it is.

    What denies goes first (``isn't`` and ``is not`` to ``is``, ``never`` to ``always``); where
    nothing denies, the first auxiliary gets a ``not``; where there is none, a word such as
    ``everyone`` becomes its opposite, or else a full verb that is told by its form or its
    neighbours gets ``did not``.
    """
    pieces, last = [], 0
    for start, end in sentences(text):
        if (found := _changed(text, start, end)) is not None:
            match, new = found
            pieces += [text[last : match.start()], new]
            last = match.end()
    return "".join([*pieces, text[last:]])


def _changed(text: str, start: int, end: int) -> tuple[re.Match[str], str] | None:
    """What is to be exchanged in a sentence, and for what."""
    for pattern, change in _CHANGES:
        for found in pattern.finditer(text, start, end):
            # Will and May within a sentence.
            is_name = found.start() > start and found.group().istitle()
            if not is_name and (new := change(found)) is not None:
                return found, new
    return None


def _affirmed(found: re.Match[str]) -> str:
    if found["alone"]:
        return ""
    if verb := found["verb"]:
        return verb
    kept = found["contracted"] or found["word"]
    plain = " ".join(kept.lower().split())
    return _cased(AFFIRMED.get(plain) or PLAIN[plain.replace("'", "").replace("’", "")], kept)


def _negated(found: re.Match[str]) -> str:
    verb = found["verb"]
    return f"{verb} {'NOT' if verb.isupper() and len(verb) > 1 else 'not'}"


def _opposite(found: re.Match[str]) -> str:
    return _cased(DENIED[found["word"].lower()], found["word"])


def _full_verb(found: re.Match[str]) -> str | None:
    """``did not go`` for ``went``; None for a word that is no finite verb."""
    word = found["after"] or found["past"] or found["before"]
    lemma = lemmatiser()(word, "VERB")
    pronoun = (found["pronoun"] or "").lower()
    auxiliary: str | None = "did"
    if pronoun and (word in NO_VERBS.split() or word.endswith("ly")):
        auxiliary = None
    elif lemma == word and word not in SAME_PASTS.split():
        auxiliary = "do" if pronoun in ("i", "we", "they") else None
    elif word.endswith("ing") and lemma != word:
        auxiliary = None
    elif word.endswith("s"):
        auxiliary = "does" if pronoun in ("he", "she") else None
    return auxiliary and f"{found.group().removesuffix(word)}{auxiliary} not {lemma}"


_CHANGES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str | None]], ...] = (
    (_DENYING, _affirmed),
    (_VERB, _negated),
    (_AFFIRMING, _opposite),
    (_FULL_VERB, _full_verb),
)


def _cased(word: str, as_in: str) -> str:
    if as_in.isupper():
        return word.upper()
    return word[0].upper() + word[1:] if as_in[0].isupper() else word
