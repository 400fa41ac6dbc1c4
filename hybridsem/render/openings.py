"""The cosine's line, unfolded: the words that contribute most, and a heat table of all pairs of
words.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from hybridsem.explanations import AlignedPair, CosineParts, Explanation, RoleMatch, Term
from hybridsem.render.template_files import fill
from hybridsem.render.wording import minus, visible

FEW = 4  # pairs of words with a row of their own
LISTED = 5  # the number of the other words that are listed
MAX_WORDS = 60  # the most words of a sentence for which there is a table of all pairs
MARKS = "sentence marks"
"""The label of the marks that the encoder adds around the words and pools with them."""
STRONGEST = 55.0
"""The colour of the largest part, in per cent, light enough for its number to be read."""


class Share(NamedTuple):
    """Partners, words of both sentences, and the amount that they add to the cosine."""

    words1: str
    words2: str
    part: float


def shares_of(match: RoleMatch, explanation: Explanation) -> list[Share]:
    """Return the cosine by words, which add up to it. The result is empty if the line is not the
    cosine's. A word's share is half of its sum over all words of the other sentence. Partners are
    the aligned words, then equal words; the largest come first, the others are one share.
    """
    first = next((line for line in explanation.matches if line.term == Term.SENTENCE), None)
    parts = explanation.cosine_parts
    if match is not first or parts is None:
        return []
    rows, columns = (parts.table.sum(axis=axis) / 2 for axis in (1, 0))

    def share(pair: tuple[int, int]) -> float:
        return float(rows[pair[0]] + columns[pair[1]])

    words1, words2 = (list(map(visible, words)) for words in (parts.words1, parts.words2))
    pairs = _partners(words1, words2, explanation.alignment)
    pairs = sorted(pairs, key=share, reverse=True)[:FEW]
    named = [Share(words1[i], words2[j], share((i, j))) for i, j in pairs]
    others1 = [i for i in range(len(words1)) if i not in {pair[0] for pair in pairs}]
    others2 = [j for j in range(len(words2)) if j not in {pair[1] for pair in pairs}]
    if others1 or others2:
        rest = float(rows[others1].sum() + columns[others2].sum())
        texts = _listed([words1[i] for i in others1]), _listed([words2[j] for j in others2])
        named.append(Share(*texts, rest))
    return [*named, Share(MARKS, "", share((-1, -1)))]


def _partners(
    words1: Sequence[str], words2: Sequence[str], alignment: Sequence[AlignedPair]
) -> list[tuple[int, int]]:
    """Return the places of aligned, then of equal words in their order, without punctuation."""
    places: dict[int, int] = {}
    for pair in alignment:
        one, two = pair.token1, pair.token2
        if words1[one : one + 1] == [visible(pair.word1)] and words2[two : two + 1] == [
            visible(pair.word2)
        ]:
            places[one] = two
    left = [j for j in range(len(words2)) if j not in {*places.values()}]
    for i, word in enumerate(words1):
        same = next((j for j in left if words2[j].lower() == word.lower()), None)
        if i not in places and same is not None and any(map(str.isalnum, word)):
            places[i] = same
            left.remove(same)
    return list(places.items())


def _listed(words: Sequence[str]) -> str:
    if len(words) <= LISTED + 1:
        return ", ".join(words)
    return f"{', '.join(words[:LISTED])} and {len(words) - LISTED} more"


def opening_row(shares: Sequence[Share], parts: CosineParts) -> str:
    """Return a row of the HTML table under the line: its words, which unfold to a table of all
    pairs.
    """
    texts = [" · ".join(dict.fromkeys(map(escape, filter(None, share[:2])))) for share in shares]
    if len(shares) > 1 and "," in shares[-2].words1 + shares[-2].words2:
        texts[-2] = "other words"
    named = ", ".join(
        f"<bdi>{text}</bdi> {_number(share.part)}"
        for text, share in zip(texts, shares, strict=True)
    )
    if max(len(parts.words1), len(parts.words2)) > MAX_WORDS:
        return fill("opening_closed.html", summary=f"of which {named}")
    return fill("opening.html", summary=f"of which {named}; all pairs", content=_heat(parts))


def _heat(parts: CosineParts) -> str:
    """Return the table of every word of one sentence with every word of the other."""
    largest = float(abs(parts.table).max()) or 1.0
    rows = []
    for word, row in zip((*parts.words1, MARKS), parts.table.tolist(), strict=True):
        cells = "".join(
            fill(
                "heat_cell.html",
                kind="hs-minus" if part < 0 else "hs-plus",
                share=f"{STRONGEST * abs(part) / largest:.0f}",
                part=_number(part),
            )
            for part in row
        )
        name = escape(visible(word))
        rows.append(fill("heat_row.html", word=name, cells=cells, sum=_number(sum(row))))
    columns = (fill("heat_column.html", word=escape(visible(w))) for w in (*parts.words2, MARKS))
    sums = (fill("heat_sum.html", part=_number(part)) for part in parts.table.sum(0).tolist())
    return fill(
        "heat.html",
        columns="".join(columns),
        rows="\n".join(rows),
        sums="".join(sums),
        cosine=_number(parts.cosine),
    )


def _number(value: float) -> str:
    return minus(f"{round(value, 3) + 0.0:.3f}")  # adding 0 turns -0 into 0
