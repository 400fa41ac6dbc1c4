"""Corrections of parsed clauses: the words that change, and trees that stay trees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.blocks import cases
from support.trees import RELATIONS, TAGS, tree

from hybridsem.parsers.trees.repairs import Draft, repair
from hybridsem.structures import DependencyTree


def draft_of(of: DependencyTree) -> Draft:
    columns = ([t.text for t in of], [t.lemma for t in of], [t.pos for t in of])
    return Draft(*columns, [t.head for t in of], [t.relation for t in of])


@pytest.mark.parametrize("lines", cases(__file__, "repairs.txt"))
def test_corrections(lines: list[str]) -> None:
    before = tree(lines[0])
    draft = draft_of(before)
    changed = repair(draft)
    words = [
        form if lemma == t.lemma else f"{form}|{lemma}"
        for form, lemma, t in zip(draft.forms, draft.lemmas, before, strict=True)
    ]
    rows = zip(words, draft.tags, draft.relations, draft.heads, strict=True)
    after = [f"{form}/{tag}/{relation}/{head + 1}" for form, tag, relation, head in rows]
    given_rows = [f"{t.text}/{t.pos}/{t.relation}/{t.head + 1}" for t in before]
    assert [new for new, old in zip(after, given_rows, strict=True) if new != old] == lines[1:]
    assert changed == [i for i, t in enumerate(before) if draft.tags[i] != t.pos]


FORMS = """
it 'd better not all what who that than to where , he us girl more five faster wrote won is by .
"""


@st.composite
def any_draft(draw: st.DrawFn) -> Draft:
    """A tree with any order of words."""
    size = draw(st.integers(1, 10))
    order = draw(st.permutations(range(size)))
    heads, relations = [-1] * size, ["root"] * size
    for place in range(1, size):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
        relations[order[place]] = draw(st.sampled_from(RELATIONS.split()))
    forms = [draw(st.sampled_from(FORMS.split())) for _ in range(size)]
    tags = [draw(st.sampled_from(TAGS.split())) for _ in range(size)]
    return Draft(forms, [form[:3] for form in forms], tags, heads, relations)


@given(any_draft())
def test_a_tree_stays_a_tree(draft: Draft) -> None:
    tags = list(draft.tags)
    changed = repair(draft)
    assert changed or draft.tags == tags
    assert [i for i, head in enumerate(draft.heads) if head < 0] == [draft.root]
    assert draft.relations[draft.root] == "root"
    for word in range(len(draft.heads)):
        above, steps = word, 0
        while above >= 0:
            above, steps = draft.heads[above], steps + 1
            assert steps <= len(draft.heads)
