"""English words that say little, and what contractions leave; the others are content words.

``STOP_WORDS`` are ours; ``RELEASE_STOP_WORDS`` those of the release of STS3k (Fodor, De Deyne &
Suzuki 2024): its role similarities are those of NLTK's English list, to the last of 840 pairs.
"""

from __future__ import annotations

from hybridsem._utils.tables import read_table, word_set
from hybridsem.english.words import BE_FORMS, MODAL_VERBS, PRONOUNS

_TABLES = read_table(__file__)
STOP_WORDS = (
    frozenset(word for group in _TABLES["groups"].values() for word in group.split())
    | frozenset(form for forms in PRONOUNS.values() for form in forms)
    | BE_FORMS
    | frozenset(MODAL_VERBS)
)
RELEASE_STOP_WORDS = word_set(_TABLES["release"]["words"])
