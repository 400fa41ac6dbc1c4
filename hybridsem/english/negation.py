"""Negation toggled by patterns: in each sentence the first known word is replaced.

It needs tables of English words (``negation.toml``) and no parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from hybridsem._utils.tables import read_table, word_set
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.sentences import sentences
from hybridsem.english.words import CLITICS, FINITE_AUXILIARIES, PRONOUNS

SHORT = rf"(?:{'|'.join(PRONOUNS)}|that|there)['’](?:{'|'.join(CLITICS)})"
"""A pronoun with an auxiliary: ``she's``, ``they'll``."""

_TABLES = read_table(__file__)
_WORDS = _TABLES["words"]

CONTRACTED = {
    f"{verb}n't": verb
    for verb in FINITE_AUXILIARIES
    if verb not in ("am", "may", "will", "can", "shall")
} | _TABLES["contracted"]
PLAIN = {written.replace("'", ""): verb for written, verb in CONTRACTED.items()}
"""Contractions without their apostrophe: ``dont``."""
AFFIRMED: dict[str, str] = _TABLES["affirmed"]
DENIED = {affirms: denies for denies, affirms in AFFIRMED.items()} | _TABLES["denied"]
SAME_PASTS, NO_VERBS = word_set(_WORDS["same_pasts"]), word_set(_WORDS["no_verbs"])


def _any(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, longest first, with any apostrophes and blanks."""
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(longest_first).replace("'", "['’]?").replace(" ", r"\s+")


OBJECTS = word_set(_WORDS["objects"]) | word_set(_WORDS["quantities"])
QUESTION_WORDS = word_set(_WORDS["questions"])
NO_OBJECTS = SAME_PASTS | word_set(_WORDS["participles"])
"""Words that may follow an auxiliary "have" and look like the infinitive."""
SUPPORTED = {"has": "does", "have": "do", "had": "did"} | {
    verb: verb for verb in ("do", "does", "did")
}
"""Forms of full verbs that are negated with an auxiliary."""

_END = r"\b(?!['’]\w)"
_AUXILIARY = rf"(?P<verb>{SHORT}|{_any(FINITE_AUXILIARIES)})"
_DENYING = re.compile(
    rf"\b(?:(?P<contracted>{_any(CONTRACTED)})|{_AUXILIARY}\s+not|(?P<word>{_any(AFFIRMED)})(?!,)){_END}"
    r"|(?<=\w)(?<!\bor)(?<!\bif)(?<!\bwhy)(?<!\bbut)(?<!\bthan)(?P<alone>\s+not)\b(?!\s+(?:only|just|least|merely)\b)",
    re.IGNORECASE,
)
_VERB = re.compile(rf"\b{_AUXILIARY}{_END}", re.IGNORECASE)
_AFTER = re.compile(
    rf"\s+(?:(?:\w+ly|{_any(_WORDS['adverbs'].split())})\s+)?(?P<word>\w+)", re.IGNORECASE
)
_BEFORE = re.compile(r"(?<!\w)\w++(?=,?\s+$)")
_AFFIRMING = re.compile(rf"\b(?P<word>{_any(DENIED)}){_END}", re.IGNORECASE)
_FULL_VERB = re.compile(
    rf"(?i:\b(?P<pronoun>i|we|they|he|she))\s+(?:(?:\w+ly|{_any(_WORDS['adverbs'].split())})\s+)?(?P<after>[a-z]+){_END}"
    rf"|\b(?P<past>{_any(_WORDS['pasts'].split())}){_END}"
    rf"|\b(?P<before>[a-z]{{2,}}[^e\W]ed)(?=\s+(?:{_any(_WORDS['objects'].split())})\b)"
)


def toggled(text: str) -> str:
    """Return the text with each sentence's negation toggled; without a known word it stays.

    A negation is removed (``isn't``, ``is not`` become ``is``, ``never`` ``always``). Without one,
    the first auxiliary gets ``not``. Without an auxiliary, a word such as ``everyone`` becomes
    its opposite, or a finite verb that is known by its form or its neighbours gets ``did not``.
    """
    pieces, last = [], 0
    for start, end in sentences(text):
        changes = (
            (found, new)
            for pattern, change in _CHANGES
            for found in pattern.finditer(text, start, end)
            # Will and May within a sentence are names.
            if not (found.start() > start and found.group().istitle())
            and (new := change(found)) is not None
        )
        if (first := next(changes, None)) is not None:
            match, new = first
            pieces += [text[last : match.start()], new]
            last = match.end()
    return "".join([*pieces, text[last:]])


def _affirmed(found: re.Match[str]) -> str:
    if found["alone"] or found["verb"]:
        return found["verb"] or ""
    kept = found["contracted"] or found["word"]
    plain = " ".join(kept.lower().split())
    return _cased(AFFIRMED.get(plain) or PLAIN[plain.replace("'", "").replace("’", "")], kept)


def _negated(found: re.Match[str]) -> str:
    verb = found["verb"]
    negated = f"{verb} not"
    if (auxiliary := SUPPORTED.get(verb.lower())) and _is_full(found):
        negated = f"{auxiliary} not {'have' if verb.lower()[0] == 'h' else 'do'}"
    return negated.upper() if verb.isupper() and len(verb) > 1 else _cased(negated, verb)


def _is_full(found: re.Match[str]) -> bool:
    """Test if a form of "have" or "do" is the verb of its clause: what follows is its object."""
    after = _AFTER.match(found.string, found.end())
    if after is None:
        return False
    word = after["word"].lower()
    if word in PRONOUNS:  # an auxiliary in "Has it rained?", "What has it done?"
        before = _BEFORE.search(found.string, max(0, found.start() - 20), found.start())
        return before is not None and before[0].lower() not in QUESTION_WORDS and word in OBJECTS
    if word in OBJECTS or word[0].isdigit():
        return True
    if found["verb"].lower()[0] == "d" or word in NO_OBJECTS:
        return False
    return word == "to" or lemmatiser()(word, "VERB") == word


def _full_verb(found: re.Match[str]) -> str | None:
    """Return ``did not go`` for ``went``; None for a word that is not a finite verb."""
    word = found["after"] or found["past"] or found["before"]
    lemma, pronoun = lemmatiser()(word, "VERB"), (found["pronoun"] or "").lower()
    auxiliary: str | None = "did"
    if pronoun and (word in NO_VERBS or word.endswith("ly")):
        auxiliary = None
    elif lemma == word and word not in SAME_PASTS:
        auxiliary = "do" if pronoun in ("i", "we", "they") else None
    elif word.endswith("ing") and lemma != word:
        auxiliary = None
    elif word.endswith("s"):
        auxiliary = "does" if pronoun in ("he", "she") else None
    return auxiliary and f"{found.group().removesuffix(word)}{auxiliary} not {lemma}"


_CHANGES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str | None]], ...] = (
    (_DENYING, _affirmed),
    (_VERB, _negated),
    (_AFFIRMING, lambda found: _cased(DENIED[found["word"].lower()], found["word"])),
    (_FULL_VERB, _full_verb),
)


def _cased(word: str, as_in: str) -> str:
    if as_in.isupper():
        return word.upper()
    return word[0].upper() + word[1:] if as_in[0].isupper() else word
