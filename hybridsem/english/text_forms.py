r"""The plain text of what people write: without invisible characters, HTML tags, mail greetings.

    plain   "co\u00adoperate 👍🏽"              "cooperate 👍"
    html    "<p>Tom &amp; <b>Ann</b></p>"     "Tom & Ann"
    mail    "Hi Ann,\n\nIt rains.\n\nBest,\nTom"    "It rains."

Each function takes linear time, and returns the text itself if nothing would be left.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from hybridsem._utils.tables import read_table, word_set

_TABLES = read_table(__file__)
INLINE = word_set(_TABLES["inline"])

# Soft hyphens, spaces and joints without width; skin tones after their picture.
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]|(?<=\\S)[\U0001f3fb-\U0001f3ff]")
# Comments, elements without text up to their end tag, and the tags of others.
_MARKUP = re.compile(
    rf"<!--.*?(?:-->|\Z)"
    rf"|<(?P<hidden>(?ai:{'|'.join(_TABLES['hidden'].split())}))(?:[\s/][^<>]*)?>"
    rf".*?(?=</(?ai:(?P=hidden))|\Z)"
    rf"|(?P<tag></?(?P<name>[A-Za-z][A-Za-z0-9]*)(?:[\s/][^<>]*)?>|<[!?][^<>]*>)",
    re.DOTALL,
)
_TELLING = re.compile(
    rf"</?(?:{'|'.join(_TABLES['telling'].split())})(?:[\s/][^<>]*)?>"
    rf"|&(?:{'|'.join(_TABLES['entities'].split())}|#\d{{1,7}}|#x[0-9a-f]{{1,6}});",
    re.IGNORECASE,
)


def _opening(phrases: str) -> str:
    """Return a pattern for any of the phrases, longest first."""
    words = [" ".join(phrase.split()) for phrase in phrases.split("|")]
    return "|".join(sorted(words, key=len, reverse=True))


_GREETING = re.compile(
    rf"(?:{_opening(_TABLES['greetings'])})(?:\s+[\w.’\'-]+){{0,5}}\s*[,!:]?", re.I
)
_CLOSING = re.compile(rf"(?:{_opening(_TABLES['closings'])})\s*[,.!]*", re.I)
SIGNATURE = 5
"""The most lines from a closing to the end of a mail."""


def plain(text: str) -> str:
    """Return the text without invisible characters inside words and skin tones of pictures."""
    return text if text.isascii() else _INVISIBLE.sub("", text) or text


def looks_like_html(text: str) -> bool:
    """Test if a text has tags or entities of HTML.

    >>> looks_like_html("Tom &amp; Ann"), looks_like_html("if a < b and c > d")
    (True, False)
    """
    return ("<" in text or "&" in text) and _TELLING.search(text) is not None


def from_html(text: str) -> str:
    """Return the text of HTML: without tags, comments and scripts, with entities as characters.

    >>> from_html("<p>Tom &amp; <b>Ann</b><br>left.</p>")
    'Tom & Ann left.'
    """
    return " ".join(html.unescape(_MARKUP.sub(_between, text)).split()) or text


def _between(markup: re.Match[str]) -> str:
    """Return what takes the place of markup: a blank for tags that separate words."""
    return " " if markup["tag"] and (markup["name"] or "").lower() not in INLINE else ""


def from_mail(text: str) -> str:
    r"""Return the body of a mail: without greeting, closing, signature and quoted lines.

    >>> from_mail("Hi Ann,\n\nIt rains.\n\nBest regards,\nTom")
    'It rains.'
    """
    lines = [line for line in text.splitlines() if line.strip() and line.lstrip()[0] != ">"]
    body = lines[1:] if lines and _GREETING.fullmatch(lines[0].strip()) else lines
    for at, line in enumerate(body):
        closes = at >= len(body) - SIGNATURE and _CLOSING.fullmatch(line.strip())
        if closes or line.rstrip() == "--":
            body = body[:at]
            break
    return "\n".join(body) or text


TEXT_FORMS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"plain": plain, "html": from_html, "mail": from_mail}
)
"""The forms of a text, and what reads each."""
