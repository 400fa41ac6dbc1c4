"""Forms of English words: the dictionary ``lemminflect``, and forms that depend on context."""

from __future__ import annotations

import re
from functools import lru_cache

from hybridsem._utils.tables import read_table
from hybridsem.english.words import PRONOUNS

# The dictionary's first form is not the usual one.
PREFERRED: dict[tuple[str, str], str] = {
    (lemma, tag): form
    for tag, forms in read_table(__file__)["preferred"].items()
    for lemma, form in forms.items()
}

OBJECTIVE = {
    subject: forms.object for subject, forms in PRONOUNS.items() if subject != forms.object
} | {"who": "whom"}
SUBJECTIVE = {
    forms.object: "I" if subject == "i" else subject
    for subject, forms in PRONOUNS.items()
    if subject != forms.object
}

# A vowel letter with a consonant's sound, and a silent h.
CONSONANT_SOUND = re.compile(r"(?:eu|ew|uni(?!n|m)|us[aeiu]|ut[ei]|uk|ubi|one\b|once\b|u-|u\b)")
SILENT_H = re.compile(r"(?:hour|honest|honou?r|heir)")


@lru_cache(65_536)
def inflected(lemma: str, tag: str) -> str | None:
    """Return an inflected form of a lemma by Penn tag (NNS, VBD, VBG, VBN, VBZ, JJR), or None."""
    if (preferred := PREFERRED.get((lemma, tag))) is not None:
        return preferred
    import lemminflect  # takes half a second

    forms = lemminflect.getAllInflections(lemma)
    # Of a regular verb it lists one of the two.
    found = forms.get(tag) or (forms.get("VBD") if tag == "VBN" else None)
    return str(found[0]) if found else None


def tense(form: str, lemma: str) -> str | None:
    """Return the tag of a finite verb form: VBZ, VBD or VBP (the base form too); else None."""
    low = form.lower()
    if low in ("am", "are", "is", "was", "were"):
        return {"is": "VBZ", "was": "VBD", "were": "VBD"}.get(low, "VBP")
    if low == inflected(lemma, "VBD"):
        return "VBD" if low != lemma else "VBP"
    if low == inflected(lemma, "VBZ"):
        return "VBZ"
    return "VBP" if low == lemma else None


def article(word: str) -> str:
    """Return the indefinite article for the word that follows."""
    low = word.lower()
    if low[:1] in "aeiou":
        return "a" if CONSONANT_SOUND.match(low) else "an"
    return "an" if SILENT_H.match(low) else "a"


def is_plural(form: str, lemma: str) -> bool:
    """Test if the form of a noun is its plural."""
    low = form.lower()
    is_regular = low != lemma.lower() and low.endswith("s")
    return is_regular or low in ("people", "men", "women", "children")


def object_case(pronoun: str) -> str:
    """Return the form of a pronoun after a verb or preposition; any other word as is."""
    return OBJECTIVE.get(pronoun.lower(), pronoun)


def subject_case(pronoun: str) -> str:
    """Return the form of a pronoun before a verb; any other word as is."""
    return SUBJECTIVE.get(pronoun.lower(), pronoun)
