"""English words that say little, and what contractions leave; the others are content words."""

from __future__ import annotations

from hybridsem.english.words import BE_FORMS, MODAL_VERBS, PRONOUNS

__all__ = ["STOP_WORDS"]

_GROUPS = {
    "articles, demonstratives": "a an the this that these those",
    "pronouns": """
        yourselves one oneself who whom whose which what whoever whatever whichever somebody someone
        something anybody anyone anything everybody everyone everything nobody nothing none each
        other another either neither both such same own
    """,
    "quantity": "all any some no every many much more most few fewer less least several enough",
    "auxiliaries": "have has had having do does did doing done ought",
    "prepositions": """
        of in on at by for with without from to into onto about against between among through
        throughout during before after above below over under up down out off toward towards upon
        within per via as than like
    """,
    "conjunctions": (
        "and or but nor so if because until while although though unless whether since that"
    ),
    "adverbs": """
        not too very just only also even again then there here now ever never once when where why
        how further quite rather yet still
    """,
    "parts of contractions": """
        n't 's 'm 're 've 'll 'd s t don doesn didn isn aren wasn weren hasn haven hadn won wouldn
        couldn shouldn can't cannot ca wo
    """,
}
STOP_WORDS = (
    frozenset(word for group in _GROUPS.values() for word in group.split())
    | frozenset(form for forms in PRONOUNS.values() for form in forms)
    | BE_FORMS
    | frozenset(MODAL_VERBS)
)
