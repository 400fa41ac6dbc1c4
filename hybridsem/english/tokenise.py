"""Splitting English text into words the way UD English EWT does.

``tokenise("I can't re-do the long-term plan.")`` gives the spans of ``I ca n't re-do the long -
term plan .``
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["tokenise"]

Span = tuple[int, int]

# Words that keep their final full stop. Single capitals (initials) and letters with stops between
# (U.S.) do so too.
ABBREVIATIONS = """
    mr mrs ms dr prof sr jr st mt ft vs inc ltd co corp dept univ assn bros gen col capt lt sgt maj
    cmdr adm gov sen rep pres rev hon jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues
    wed thu thur thurs fri no nos vol fig approx est ave blvd rd al ed eds esp i.e e.g a.m p.m ph.d
    u.s u.k
"""

# Prefixes and first parts that stay attached to what follows their hyphen.
ATTACHED = """
    e re co pre non anti un multi semi sub ex inter mid counter de self-un over under ultra pro bi
    tri uni x t
"""

# Whole words of two parts: where the second begins.
SPLIT = {
    "cannot": 3, "im": 1, "thats": 4, "whats": 4, "ima": 1, "gonna": 3, "wanna": 3, "gotta": 3, "gimme": 3,
    "lemme": 3, "dunno": 4, "ain't": 2, "ain’t": 2, "dont": 2, "didnt": 3, "doesnt": 4, "isnt": 2, "wasnt": 3,
    "cant": 2, "wont": 2, "wouldnt": 5, "couldnt": 5, "shouldnt": 6, "havent": 4, "hasnt": 3, "hadnt": 3,
    "arent": 3, "werent": 4,
}  # fmt: skip

_abbreviation = "|".join(
    sorted((re.escape(word) for word in ABBREVIATIONS.split()), key=len, reverse=True)
)
_attached = "|".join(ATTACHED.split())

# What belongs to the character before it: accents, vowel signs, variation selectors, skin tones,
# the letters of flags.
_written_on = "".join(
    mark for mark in map(chr, range(0x300, 0x2100)) if unicodedata.category(mark)[0] == "M"
)
_marks = f"[{_written_on}\ufe00-\ufe0f\ufe20-\ufe2f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*"

_TOKEN = re.compile(
    rf"""
      (?P<keep>
          (?:https?://|www\.)[^\s<>"]*[^\s<>".,;:!?')\]]            # addresses
        | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
        | \w+(?:[-.]\w+)*\.(?:com|org|net|edu|gov|co\.uk|html?|pdf|docx?|xls|jpe?g)\b(?:/[^\s<>"]*[^\s<>".,;:!?')\]])?
        | @\w+ | \#[^\W\d]\w*
        | [:;=8][-o*']?[()\[\]DPp/\\|*](?!\w) | <3 | \^_+\^         # emoticons
        | (?:\b(?i:{_abbreviation})|\b[A-Z])\.(?=\s+\w|\s*[,;:)]|\w*$)  # abbreviations, initials
        | (?:[A-Za-z]\.){{2,}}[A-Za-z]?\b\.?
        | \d{3}-\d{3}-\d{4} \b | \d{3}-\d{4} \b    # telephone numbers
        | \d+(?:[.,:/]\d+)+(?:(?:st|nd|rd|th|s)\b|(?!\d))
        | [A-Z]+&[A-Z]+\b
        | \d+(?:st|nd|rd|th)\b
        | (?i:o'clock|ma'am|y'all|c'mon|'cause|'em|rock'n'roll)\b
      )
    | (?P<clitic> (?i: n['’]t | ['’`](?:s|m|re|ve|ll|d) )\b(?!['’]) )
    | (?P<word>
          (?i:(?:{_attached})-(?=\w))?
          (?:(?!(?i:n['’]t\b))[^\W_]{_marks})+                     # up to a negation
          (?:['’](?!(?i:s|m|re|ve|ll|d|t)\b)[^\W\d_]+)*            # O'Brien
          (?:_[^\W_]+)*
      )
    | (?P<mark>
          <<+ | >>+ | ’’ | ‘‘ | \.{{2,}} | …  | -{{2,}} | [!?]{{2,}} | \*+ | =+ | _+ | ~+ | \#+ | (?:--?>) | <-+
        | '' | `` | &
      )
    | (?P<other> (?:[^\s\w]|\w){_marks} (?:\u200d[^\s\w]{_marks})* )     # signs that are joined are one picture
    """,
    re.VERBOSE,
)
_UNIT = re.compile(r"(\d+)(am|pm|AM|PM|k|K|km|kg|mb|mg|ml|cm|mm|ft|GB|MB|hrs?|mins?|%)$")


def tokenise(text: str) -> list[Span]:
    """The (start, end) spans of the words of ``text``, in order.

    White space and control characters are in no span; every other character is in exactly one.
    """
    spans: list[Span] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match.lastgroup == "word":
            spans += _parts(text, start, end)
        elif match.lastgroup != "other" or text[start].isprintable():
            spans.append((start, end))
    return spans


def _parts(text: str, start: int, end: int) -> list[Span]:
    """A word, or its two parts where it is a contraction without apostrophe or a number with its
    unit.
    """
    word = text[start:end]
    cut = SPLIT.get(word.lower())
    if cut is None and word[0].isdigit() and (unit := _UNIT.match(word)):
        cut = unit.start(2)
    if cut is None:
        return [(start, end)]
    return [(start, start + cut), (start + cut, end)]
