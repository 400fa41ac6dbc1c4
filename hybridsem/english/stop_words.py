"""English words that say little, and what contractions leave; the others are content words.

``STOP_WORDS`` are ours; ``RELEASE_STOP_WORDS`` those of the release of STS3k (Fodor, De Deyne &
Suzuki 2024): its role similarities are those of NLTK's English list, to the last of 840 pairs.
"""

from __future__ import annotations

from hybridsem.english.words import BE_FORMS, MODAL_VERBS, PRONOUNS

__all__ = ["RELEASE_STOP_WORDS", "STOP_WORDS"]

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

_RELEASE = """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she
    her hers herself it its itself they them their theirs themselves what which who whom this that
    these those am is are was were be been being have has had having do does did doing a an the and
    but if or because as until while of at by for with about against between into through during
    before after above below to from up down in out on off over under again further then once here
    there when where why how all any both each few more most other some such no nor not only own
    same so than too very s t can will just don should now d ll m o re ve y ain aren couldn didn
    doesn hadn hasn haven isn ma mightn mustn needn shan shouldn wasn weren won wouldn
"""
RELEASE_STOP_WORDS = frozenset(_RELEASE.split())
