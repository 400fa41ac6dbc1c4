"""Writing a sentence anew from its words and new ones, and what the parse of it must show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hybridsem.english.inflection import article
from hybridsem.structures import DependencyTree

Piece = int | str
"""A word of the sentence by its index, or a new one."""

ROOT = ""
NO_SPACE_BEFORE = re.compile(r"[.,;:!?%)\]}]|['’].*|n['’]t", re.IGNORECASE)


@dataclass(frozen=True)
class Made:
    """A sentence made from another; its parse must have ``arcs`` (word, relation, head or ROOT)."""

    text: str
    arcs: tuple[tuple[str, str, str], ...]

    def missing(self, tree: DependencyTree) -> str | None:
        """The first relation asked for that the parse of the sentence has not."""
        found = {
            (
                token.text.lower(),
                token.relation,
                tree[token.head].text.lower() if token.head >= 0 else ROOT,
            )
            for token in tree
        }
        return next(
            (
                relation
                for word, relation, head in self.arcs
                if (word.lower(), relation, head.lower()) not in found
            ),
            None,
        )


def edited(tree: DependencyTree, changes: Mapping[int, Sequence[Piece]]) -> str:
    """The sentence with some of its words replaced, each by none, one or several."""
    return written(tree, [piece for i in range(len(tree)) for piece in changes.get(i, (i,))])


def written(tree: DependencyTree, pieces: Iterable[Piece], *, articles: bool = True) -> str:
    """Words of a sentence and new ones as a sentence.

    The first has a capital, and the sentence's own first word only there, unless it is a name;
    words that stood together still do. With ``articles``, "a" and "an" go by the word behind them.
    """
    order = list(pieces)
    words: list[str] = []
    for place, piece in enumerate(order):
        word = (
            piece if isinstance(piece, str) else lowered(tree) if piece == 0 else tree[piece].text
        )
        following = order[place + 1] if place + 1 < len(order) else ""
        if (
            articles
            and word in ("a", "an")
            and not (isinstance(piece, int) and following == piece + 1)
        ):
            word = article(following if isinstance(following, str) else tree[following].text)
        words.append(word)
    text = words[0][:1].upper() + words[0][1:]
    for (before, here), word in zip(pairwise(order), words[1:], strict=True):
        text += word if _together(tree, before, here) else f" {word}"
    return text


def lowered(tree: DependencyTree) -> str:
    """The first word as inside a sentence: with a small letter, unless it is a name or "I"."""
    first = tree[0]
    keeps = first.pos == "PROPN" or first.text == "I" or first.text[1:2].isupper()
    return first.text if keeps else first.text[0].lower() + first.text[1:]


def _together(tree: DependencyTree, before: Piece, here: Piece) -> bool:
    """Whether nothing stands between two words."""
    if isinstance(before, int) and isinstance(here, int) and here == before + 1:
        return tree[before].end == tree[here].start
    return NO_SPACE_BEFORE.fullmatch(here if isinstance(here, str) else tree[here].text) is not None
