"""Edits in words, as written in each sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from hybridsem.comparison.edits import Edit, Words
from hybridsem.comparison.folding import Unit
from hybridsem.structures import Parsed, Role, RoleStructure

Speller = Callable[[int], str]  # takes a token of a sentence and returns it as written
NAMED_ROLES = frozenset(Role) - {Role.VERB}
CONTRACTED = {"n't": "not", "n’t": "not"}
CUT = {"ca": "can", "wo": "will", "sha": "shall"}
"""Verbs before "n't"."""
GAP_SHOWN = 2  # the number of tokens shown between two that belong together


def speller(parsed: Parsed | None, forms: Sequence[str], units: Mapping[int, Unit]) -> Speller:
    """Return a function from tokens to their written form; the first is in lower case unless it is
    a name; the head of a unit stands for all its tokens, and the others for none. Without a tree,
    the result uses ``forms`` in lower case.
    """
    tree = parsed.tree if isinstance(parsed, RoleStructure) else None
    if tree is None:
        return forms.__getitem__

    folded = {at for head, unit in units.items() for at in unit.tokens if at != head}

    def spell(token: int) -> str:
        if token in folded:
            return ""
        if token in units:
            unit = units[token]
            spans = parts(unit.tokens, 0) if unit.phrase else [unit.tokens]
            return " … ".join(tree.text[tree[span[0]].start : tree[span[-1]].end] for span in spans)
        text = CONTRACTED.get(tree[token].text, tree[token].text)
        if text.lower() in CUT and token + 1 < len(tree) and tree[token + 1].text in CONTRACTED:
            text = CUT[text.lower()].capitalize() if text.istitle() else CUT[text]
        keeps = token or tree[token].pos == "PROPN" or text == "I" or not text.istitle()
        return text if keeps else text.lower()

    return spell


def parts(tokens: Iterable[int], gap: int) -> list[list[int]]:
    """Split tokens at gaps of more than ``gap`` tokens."""
    parts: list[list[int]] = []
    for at in sorted({*tokens}):
        if parts and at - parts[-1][-1] - 1 <= gap:
            parts[-1].append(at)
        else:
            parts.append([at])
    return parts


def cells(edit: Edit, spell1: Speller, spell2: Speller) -> tuple[str | None, str | None]:
    """Return the words of an edit in each sentence; None if there are none. Words with another role
    show it, if both roles have familiar names; displaced words show their governor.
    """
    before, after = edit.before, edit.after
    known = before.role != after.role and {before.role, after.role} <= NAMED_ROLES
    same = same_words(before.all_tokens, spell1, after.all_tokens, spell2)
    if same and not known and before.anchor is not None:
        return _listed(before, spell1), _listed(after, spell2)
    return _cell(before, spell1, known), _cell(after, spell2, known)


def line_cells(
    edits: Sequence[Edit], spell1: Speller, spell2: Speller
) -> tuple[str | None, str | None]:
    """Return the cells of a line with several edits; words without a partner form one list, without
    those that both sentences have.
    """
    alone = [edit for edit in edits if {edit.before[1:], edit.after[1:]} == {Words()[1:]}]
    rest = [edit for edit in edits if edit not in alone]
    if alone:
        tokens = [
            sorted({at for words in column for at in words.tokens})
            for column in zip(*(edit[1:3] for edit in alone), strict=True)
        ]
        both = zip(tokens, (spell1, spell2), strict=True)
        texts = [{at: spell(at).lower() for at in some} for some, spell in both]
        shared = {*texts[0].values()} & {*texts[1].values()}
        own = [[at for at, text in some.items() if text not in shared] for some in texts]
        before, after = (Words(tuple(some)) for some in (own if all(own) else tokens))
        rest.append(alone[0]._replace(before=before, after=after))
    columns = zip(*(cells(edit, spell1, spell2) for edit in rest), strict=True)
    text1, text2 = (", ".join(dict.fromkeys(filter(None, column))) or None for column in columns)
    return text1, text2


def same_words(
    tokens1: Iterable[int], spell1: Speller, tokens2: Iterable[int], spell2: Speller
) -> bool:
    """Test if tokens of two sentences are the same words in the same order."""
    return [*map(spell1, sorted(tokens1))] == [*map(spell2, sorted(tokens2))]


def _cell(words: Words, spell: Speller, with_role: bool) -> str | None:
    if with_role:
        return f"{_listed(words, spell)} ({words.role})"
    if words.anchor is not None:
        return excerpt(words.all_tokens, spell)
    first = min(words.tokens, default=0)
    before = [spell(mark) for mark in words.marks if mark < first]
    behind = [spell(mark) for mark in words.marks if mark >= first]
    return " ".join(filter(None, (*before, _listed(words, spell), *behind))) or None


def _listed(words: Words, spell: Speller) -> str:
    return ", ".join(dict.fromkeys(map(spell, words.tokens)))


def excerpt(tokens: Iterable[int], spell: Speller) -> str:
    """Return tokens in the order of the sentence, with the words between them, or an ellipsis for
    more than :data:`GAP_SHOWN`.
    """
    ordered = sorted(set(tokens))
    parts = [spell(ordered[0])]
    for one, two in pairwise(ordered):
        short = two - one - 1 <= GAP_SHOWN
        parts += [spell(token) for token in range(one + 1, two)] if short else ["…"]
        parts.append(spell(two))
    return " ".join(filter(None, parts)).replace(" '", "'").replace(" ’", "’").replace(" ,", ",")
