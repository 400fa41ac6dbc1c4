"""Corrections of parsed clauses: the words that change, and trees that stay trees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.trees import RELATIONS, TAGS, tree

from hybridsem.parsers.trees.repairs import Draft, repair
from hybridsem.structures import DependencyTree


def draft_of(of: DependencyTree) -> Draft:
    columns = ([t.text for t in of], [t.lemma for t in of], [t.pos for t in of])
    return Draft(*columns, [t.head for t in of], [t.relation for t in of])


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        (
            "What/PRON/obj/4 he/PRON/nsubj/3 said|say/VERB/acl:relcl/1 hurt/VERB/root/0 "
            "me/PRON/obj/4 deeply/ADV/advmod/4 did|do/AUX/aux/4",
            ["What/PRON/nsubj/4"],
        ),
        (
            "What/PRON/obj/3 he/PRON/nsubj/3 saw|see/VERB/root/0 scared|scare/VERB/xcomp/3 "
            "me/PRON/obj/4 ./PUNCT/punct/3",
            ["What/PRON/nsubj/4", "saw/VERB/acl:relcl/1", "scared/VERB/root/0", "./PUNCT/punct/4"],
        ),
        (
            "To/ADP/case/2 err/NOUN/obl/4 is|be/AUX/cop/4 human/ADJ/root/0",
            ["To/PART/mark/2", "err/VERB/csubj/4"],
        ),
        (
            "That/SCONJ/mark/3 he/PRON/nsubj/3 left|leave/VERB/ccomp/4 hurt|hurts/VERB/root/0",
            ["left/VERB/csubj/4"],
        ),
        (
            "Where/ADV/advmod/5 he/PRON/nsubj/3 lives|live/VERB/csubj/5 is|be/AUX/cop/5 "
            "secret/ADJ/root/0",
            ["Where/ADV/advmod/3"],
        ),
        (
            "In/ADP/case/2 Rome/PROPN/obl/3 stood|stand/VERB/root/0 a/DET/det/5 hut/NOUN/obj/3",
            ["hut/NOUN/nsubj/3"],
        ),
        ("In/ADP/case/2 Rome/PROPN/obl/3 take/VERB/root/0 a/DET/det/5 bus/NOUN/obj/3", []),
        (
            "It/PRON/nsubj/6 ,/PUNCT/punct/4 he/PRON/nsubj/4 said|say/VERB/acl:relcl/1 "
            ",/PUNCT/punct/4 works|work/VERB/root/0",
            ["said/VERB/parataxis/6"],
        ),
        (
            "She/PRON/nsubj/2 runs|run/VERB/root/0 faster|fast/ADJ/xcomp/2 than/ADP/case/5 "
            "Bob/PROPN/obl/3",
            ["faster/ADV/advmod/2"],
        ),
        (
            "He/PRON/nsubj/2 read/VERB/root/0 more/ADJ/amod/4 books|book/NOUN/obj/2 "
            "than/ADP/case/6 Bob/PROPN/obl/2",
            ["Bob/PROPN/obl/3"],
        ),
        (
            "He/PRON/nsubj/2 built|build/VERB/root/0 and/CCONJ/cc/4 sold|sell/VERB/conj/2 "
            "huts|hut/NOUN/obj/4",
            ["huts/NOUN/obj/2"],
        ),
        (
            "He/PRON/nsubj/2 came|come/VERB/root/0 and/CCONJ/cc/4 saw|see/VERB/conj/2 "
            "huts|hut/NOUN/obj/4",
            [],
        ),
        (
            "Dogs|dog/NOUN/nsubj:pass/2 warned|warn/VERB/root/0 us/PRON/iobj/2",
            ["Dogs/NOUN/nsubj/2"],
        ),
        (
            "books|book/NOUN/nsubj/8 that/PRON/obj/5 girls|girl/NOUN/nsubj/8 who/PRON/nsubj/5 "
            "won|win/VERB/acl:relcl/3 wrote|write/AUX/aux/8 were|be/AUX/cop/8 good/ADJ/root/0",
            ["that/PRON/obj/6", "girls/NOUN/nsubj/6", "wrote/VERB/acl:relcl/1"],
        ),
    ],
)
def test_corrections(text: str, changes: list[str]) -> None:
    before = tree(text)
    draft = draft_of(before)
    tags_change = repair(draft)
    rows = zip(draft.forms, draft.tags, draft.relations, draft.heads, strict=True)
    after = [f"{form}/{tag}/{relation}/{head + 1}" for form, tag, relation, head in rows]
    given_rows = [f"{t.text}/{t.pos}/{t.relation}/{t.head + 1}" for t in before]
    assert [new for new, old in zip(after, given_rows, strict=True) if new != old] == changes
    assert tags_change == (draft.tags != [t.pos for t in before])


FORMS = "what who that than to where , he girl more faster wrote won is by ."


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
