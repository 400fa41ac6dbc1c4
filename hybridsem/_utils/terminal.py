"""Text from outside on a terminal: file names, answers of servers, cells of a table."""

from __future__ import annotations

import logging
import re

# Characters that act on a terminal or a page in place of being shown: controls, bidirectional
# overrides, surrogates.
_ACTING = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_BLANKS = frozenset("\t\n\v\f\r\x85\u2028\u2029")


def visible(text: str) -> str:
    """The text on one line, its characters that act on a terminal or a page spelled out."""
    return _ACTING.sub(lambda found: " " if found[0] in _BLANKS else ascii(found[0])[1:-1], text)


def visible_lines(text: str) -> str:
    """The text on the lines that it has, each :func:`visible`."""
    return "\n".join(map(visible, text.split("\n")))


class VisibleFormatter(logging.Formatter):
    """A log's messages as they may be shown."""

    def format(self, record: logging.LogRecord) -> str:
        """The message on its lines."""
        return visible_lines(super().format(record))
