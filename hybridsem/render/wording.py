"""The words of an explanation: names of its lines and numbers; text made safe to show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hybridsem._utils.terminal import visible
from hybridsem.comparison.edits import Evidence, Kind
from hybridsem.comparison.folding import fold
from hybridsem.comparison.quotations import whole_value, written
from hybridsem.explanations import AlignedPair, Explanation, RoleMatch, Term
from hybridsem.render.claims import correspond, have_moved
from hybridsem.render.template_files import wording
from hybridsem.structures import DependencyTree, Parsed, ParseFailure, Role, RoleStructure, Token

COMPARING_NOTHING = (Term.CONSTANT, Term.LIMIT)  # terms whose lines have no similarity

CORRECTIONS = (Term.SWAP, Term.POLARITY)  # terms that subtract from the score

KINDS = frozenset(kind.value for kind in Kind)

SAME, NO_RELATION = "same", "none"
SHOWN_AS_LINES = ("polarity_differs",)

NOTHING = "–"  # the cell of a missing role, or of something that was not compared
OWN = 3  # the most words without a partner that a cell lists

FEW = 4  # pairs of words with a row of their own under the cosine
LISTED = 5  # the number of the other words that are listed
MARKS = "sentence marks"
"""The label of the marks that the encoder adds around the words and pools with them."""


class Line(NamedTuple):
    """A line of the table as shown; ``similarity`` is None if nothing was compared."""

    name: str
    cell1: str
    cell2: str
    similarity: float | None


def lines(explanation: Explanation) -> list[tuple[RoleMatch, Line]]:
    """Return the lines of an explanation in words, the largest contribution first."""
    matches = sorted(explanation.matches, key=lambda match: -abs(match.contribution))
    return [(match, line(match, explanation)) for match in matches]


def line(match: RoleMatch, explanation: Explanation) -> Line:
    """Return a line in words: a role, two paired roles, a moved word, a difference, or the whole
    sentence.
    """
    one, two = (None if text is None else visible(text) for text in (match.filler1, match.filler2))
    both = (visible(str(role)) for role in (match.role1, match.role2) if role is not None)
    roles = list(dict.fromkeys(both))
    if match.term == Term.ROLE:
        lone = None in (one, two)
        cells = one or NOTHING, two or NOTHING
        return Line(" / ".join(roles), *cells, None if lone else match.similarity)
    structures = explanation.structure1, explanation.structure2
    if match.term == Term.SWAP:
        name = " → ".join(roles) if len(roles) > 1 else f"{''.join(roles)}, other clause"
        one, two = map(_as_written, (one, two), structures)
        return Line(name, one, two, match.similarity)
    if match.edits:
        if match.edits[0].kind.evidence is Evidence.NUMBER:
            texts = enumerate((one, two))
            one, two = (_value(match, side, text, structures[side]) for side, text in texts)
        if not one and not two:
            one, two = _own_words(*structures)
        label = match.label if correspond(match.edits, explanation) else Kind.UNKNOWN.label
        if match.edits[0].kind.displaces and not have_moved(match.edits):
            label = Kind.MOVED.label
        return Line(label, one or NOTHING, two or NOTHING, None)
    name = f"{visible(match.label)} {' / '.join(roles)}".strip()
    if match.term == Term.POLARITY:
        return Line(name, _negation(structures[0]), _negation(structures[1]), None)
    nothing = match.term in COMPARING_NOTHING
    return Line(name, one or "", two or "", None if nothing else match.similarity)


def corrects(match: RoleMatch) -> bool:
    """Test if a line is a penalty or a bonus."""
    return match.term in CORRECTIONS or bool(match.edits)


def related(relation: str) -> str:
    """Return the relation of two words, in words."""
    return wording("relations").get(relation, visible(relation))


def in_words(pair: AlignedPair) -> str:
    """Return partners in words: the shared word, or both with their relation."""
    word1, word2 = visible(pair.word1), visible(pair.word2)
    if pair.relation == SAME:
        return word1 if word1.lower() == word2.lower() else f"{word1} – {word2}"
    if pair.relation == NO_RELATION:
        return f"{word1} – {word2} ({pair.similarity:.2f})"
    return f"{word1} – {word2} ({related(pair.relation)})"


def _tree(parsed: Parsed | None) -> DependencyTree | tuple[Token, ...]:
    tree = parsed.tree if isinstance(parsed, RoleStructure) else None
    return () if tree is None else tree


def _as_written(word: str | None, parsed: Parsed | None) -> str:
    """Return a word with its capitals in the sentence."""
    texts = (visible(token.text) for token in _tree(parsed))
    return next((text for text in texts if text.lower() == word), word or "")


def _value(match: RoleMatch, side: int, text: str | None, parsed: Parsed | None) -> str | None:
    """Return the cell of a sentence in a line about values, these with their bounds."""
    tree = parsed.tree if isinstance(parsed, RoleStructure) else None
    if tree is None or not text:
        return text
    units = fold(tree.tokens, tree.text).units
    values = [whole_value(tree, edit.sides[side].tokens, units) for edit in match.edits]
    texts = dict.fromkeys(written(tree, value) for value in values if value)
    return visible(", ".join(texts)) if all(values) else text


def _own_words(*both: Parsed | None) -> tuple[str, str]:
    """Return the first words that only one sentence has, for each sentence."""
    texts = [[visible(token.text) for token in _tree(parsed)] for parsed in both]
    forms = [{text.lower() for text in side} for side in texts]
    one, two = (
        [text for text in side if text.lower() not in other and text[:1].isalnum()]
        for side, other in zip(texts, reversed(forms), strict=True)
    )
    return ", ".join(one[:OWN]), ", ".join(two[:OWN])


def _negation(parsed: Parsed | None) -> str:
    """Return the predicate of the main clause, after "not" if it is negated."""
    if not isinstance(parsed, RoleStructure) or not parsed.frames:
        return ""
    frame = parsed.main
    verb = frame.fillers.get(Role.VERB)
    text = visible(verb.text if verb is not None else frame.predicate)
    return f"not {text}" if frame.negated else text


def facts(explanation: Explanation) -> Iterator[tuple[str, str, bool]]:
    """Return the numbers behind the score: name, value as shown, and True for a share, whose value
    comes first: "12% moved".
    """
    for name, value in explanation.details.items():
        if name in SHOWN_AS_LINES or name in KINDS:
            continue
        own = f"{visible(name).replace('_', ' ')}: {{:.4g}}"
        label, _, form = wording("facts").get(name, own).rpartition(": ")
        share = form.endswith("%}")
        # Adding 0 turns -0 into 0.
        yield label, form.format(round(value, 2) + 0.0 if share else value), share


def notes(explanation: Explanation) -> Iterator[str]:
    """Return notes about how the sentences were read."""
    yield from map(visible, explanation.notes)
    if explanation.sentences:
        yield f"aligned sentences: {', '.join(map(str, explanation.sentences))}"
    for number, structure in enumerate((explanation.structure1, explanation.structure2), start=1):
        if isinstance(structure, ParseFailure):
            yield f"sentence {number} has no structure: {visible(structure.reason)}"


def minus(number: str) -> str:
    """Return a number with a minus sign in place of the hyphen."""
    return number.replace("-", "−")


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
