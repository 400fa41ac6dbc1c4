"""English words by what they are: one list each, for all rooms of the package that need it.

function words   pronouns, negators, question words, auxiliaries, prepositions of two words
nouns            persons, kin, times, measures
verbs            modals, copulas, verbs that are told apart by their subject
pieces           clitics, abbreviations

Where two uses need different lists, one is written as the other with what it has besides. Forms are
in lower case; an apostrophe is ``'``, with ``’`` beside it where a list needs both.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import word_set

__all__ = [
    "ABBREVIATIONS",
    "ADULTS_AND_CHILDREN",
    "AMBIGUOUS_TIMES",
    "ARTICLES",
    "ASPECTUAL_VERBS",
    "BE_FORMS",
    "CLITICS",
    "COMPOUND_PREPOSITIONS",
    "COPULAR_VERBS",
    "FAMILY",
    "FOCUS_ADVERBS",
    "KIN",
    "MEANS",
    "MEASURES",
    "MODALS",
    "MODAL_VERBS",
    "MONEY",
    "MONTHS",
    "MONTH_ABBREVIATIONS",
    "NEGATORS",
    "NOT",
    "PERSONS",
    "PRONOUNS",
    "QUESTION_ADVERBS",
    "QUESTION_WORDS",
    "RELATIVE_WORDS",
    "SEMI_MODALS",
    "SUBORDINATING_ADVERBS",
    "TIME_NOUNS",
    "UNACCUSATIVE_VERBS",
    "VARIANTS",
    "WEEKDAYS",
    "WEEKDAY_ABBREVIATIONS",
    "Pronoun",
]


# --- function words

ARTICLES = word_set("a an the")


class Pronoun(NamedTuple):
    """The forms of a personal pronoun: "she", "her", "her", "hers", "herself"."""

    subject: str
    object: str
    determiner: str
    possessive: str
    reflexive: str


PRONOUNS = MappingProxyType(
    {
        row[0]: Pronoun(*row)
        for row in (
            ("i", "me", "my", "mine", "myself"),
            ("you", "you", "your", "yours", "yourself"),
            ("he", "him", "his", "his", "himself"),
            ("she", "her", "her", "hers", "herself"),
            ("it", "it", "its", "its", "itself"),
            ("we", "us", "our", "ours", "ourselves"),
            ("they", "them", "their", "theirs", "themselves"),
        )
    }
)
"""The personal pronouns by their form as a subject."""

NOT = word_set("not n't n’t")
NEGATORS = NOT | word_set("nt never no nobody nothing none nowhere neither nor")

QUESTION_ADVERBS = word_set("where when why how")
QUESTION_WORDS = QUESTION_ADVERBS | word_set("who whom whose what which")
SUBORDINATING_ADVERBS = QUESTION_ADVERBS | word_set("whenever wherever whether")
"""Words without content of their own that open a clause, a question or not."""
RELATIVE_WORDS = word_set("who whom which that what where when")

FOCUS_ADVERBS = word_set(
    """
    also too even only just however therefore thus hence moreover furthermore nevertheless
    nonetheless otherwise besides instead though so very quite rather else own same such indeed
    please maybe perhaps then as yes ok okay
    """
)
"""Adverbs, and what is tagged so, that relate to another word or sentence and say little alone."""

COMPOUND_PREPOSITIONS = frozenset(
    {
        "according to",
        "ahead of",
        "because of",
        "close to",
        "due to",
        "in front",
        "inside of",
        "instead of",
        "next to",
        "on top",
        "out of",
        "outside of",
        "such as",
    }
)
"""Prepositions of two words; of those of three ("in front of") the first two."""
VARIANTS = MappingProxyType(
    {
        "w": "with",
        "w/": "with",
        "w/o": "without",
        "thru": "through",
        "til": "until",
        "'til": "until",
    }
)
"""Spellings of prepositions, and the usual one."""

# --- verbs

MODAL_VERBS = ("will", "would", "can", "could", "shall", "should", "may", "might", "must")
BE_FORMS = word_set("be am is are was were been being")
MODALS = MappingProxyType(
    {
        form: lemma
        for lemma, forms in {
            "can": "can ca could",
            "may": "may might",
            "must": "must",
            "shall": "shall",
            "should": "should",
            "will": "will wo 'll ’ll would 'd",
            "ought": "ought",
            "dare": "dare",
            "need": "need",
        }.items()
        for form in forms.split()
    }
)
"""The forms of modal verbs, as tokens, and their lemmas."""
SEMI_MODALS = word_set("have ought need go gon use suppose able about got gotta hafta gonna")
"""Lemmas of verbs and adjectives whose infinitive is the predicate: "has to", "is able to"."""
COPULAR_VERBS = word_set(
    "be become seem appear remain stay look sound feel smell taste prove turn grow get"
)
ASPECTUAL_VERBS = word_set("begin start continue keep cease tend seem appear happen proceed resume")
"""Verbs that form one predicate with an infinitive or participle: "started to run"."""
UNACCUSATIVE_VERBS = word_set(
    """
    accelerate age balance blister bloom boil break brighten broaden burn burst change chill choke
    clog close coagulate collapse combust condense contract cool corrode crack crash crumble
    crystallize darken decay decline decompose decrease deepen deflate degenerate depreciate
    deteriorate die dim diminish disappear disintegrate dissolve double drown dry dwindle ebb erode
    evaporate expand expire explode fade fail fall ferment flatten flicker float fluctuate fracture
    fray freeze grow harden heal ignite improve increase inflate intensify lengthen lessen lighten
    loosen mature mellow melt molder multiply narrow open oxidize perish plummet quicken redden
    revert ripen rise rot rupture rust scorch shatter shrink shrivel shut simmer sink slacken
    smoulder snap soften solidify sour spill splinter split spoil sprout stabilize steepen stiffen
    stop strengthen subside suffocate surge swell tear thaw thicken thin tighten topple triple vary
    wake warm weaken widen wilt wither worsen
    """
)
"""Verbs whose subject, where there is no object, is what changes: "the butter melted"."""

# --- nouns

FAMILY = word_set(
    """
    mother father mom dad mum parent son daughter brother sister husband wife uncle aunt cousin
    grandmother grandfather
    """
)
KIN = FAMILY | word_set("grandma grandpa niece nephew")
ADULTS_AND_CHILDREN = word_set(
    "man woman boy girl child kid baby person people adult guy lady gentleman teenager"
)
PERSONS = (
    ADULTS_AND_CHILDREN
    | FAMILY  # without the rest of KIN: the roles of 0.1.0 were read with these
    | word_set(
        """
        friend family teacher student pupil doctor nurse patient lawyer judge officer policeman
        police soldier customer client guest visitor worker employee employer boss manager owner
        player neighbor neighbour audience crowd crew team reader scientist author politician
        president king queen public media reporter journalist buyer seller waiter waitress driver
        """
    )
)
"""Nouns of persons and of groups of them."""

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
MONTH_ABBREVIATIONS = tuple(month[:3] for month in MONTHS)
"""In the order of :data:`MONTHS`; "sept" is another one."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAY_ABBREVIATIONS = word_set("mon tue tues wed thu thur thurs fri sat sun")
TIME_NOUNS = (
    frozenset((*MONTHS, *MONTH_ABBREVIATIONS, "sept"))
    | frozenset((*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)))
    | WEEKDAY_ABBREVIATIONS
    | word_set(
        """
        second minute hour day night week weekend weekday fortnight month year decade century
        millennium era age period time moment instant while morning afternoon evening noon midday
        midnight dawn dusk sunrise sunset daytime nighttime tonight today tomorrow yesterday spring
        summer autumn fall winter season semester term christmas easter thanksgiving ramadan holiday
        birthday anniversary lifetime childhood adolescence youth lunchtime bedtime deadline a.m.
        p.m. am pm o'clock past future present beginning end start occasion date eve
        """
    )
)
AMBIGUOUS_TIMES = word_set("sun sat mon wed mar may march")
"""Times where they are proper nouns: "in the sun" is none."""

MEASURES = word_set(
    "mile kilometer kilometre km meter metre foot inch yard pound kilo percent % degree point"
)
MONEY = word_set("dollar euro pound cent buck $ € £ usd")
MEANS = word_set("hand accident mistake chance car bus train plane bike boat foot mail phone email")
"""Nouns after "by" that say how something is done, and not by whom."""

# --- pieces of words

CLITICS = ("s", "m", "re", "ve", "ll", "d")
"""What stands after an apostrophe as a word of its own, beside the ``n't`` of negation."""

ABBREVIATIONS = (
    word_set(
        """
        mr mrs ms dr prof sr jr st mt ft vs inc ltd co corp dept univ assn bros gen col capt lt sgt
        maj cmdr adm gov sen rep pres rev hon no nos vol fig approx est ave blvd rd al ed eds esp
        i.e e.g a.m p.m ph.d u.s u.k sept
        """
    )
    | frozenset(MONTH_ABBREVIATIONS) - {"may"}
    | WEEKDAY_ABBREVIATIONS - {"sat", "sun"}
)
"""Words that keep their final full stop; "may", "sat" and "sun" are words without one."""
