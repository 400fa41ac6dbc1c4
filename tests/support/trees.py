"""Dependency trees for tests: written in a line, and any at random."""

from dataclasses import replace

from hypothesis import strategies as st

from hybridsem.structures import Argument, DependencyTree, Frame, Predicate, Role, Token


def tree(text: str) -> DependencyTree:
    """A tree from words ``form/POS/relation/head`` (heads from 1, 0 the root; ``form|lemma`` where
    they differ).
    """
    tokens, written = [], ""
    for word in text.split():
        form, pos, relation, head = word.rsplit("/", 3)
        form, _, lemma = form.partition("|")
        start = len(written) + bool(written)
        written += " " * bool(written) + form
        tokens.append(
            Token(form, lemma or form.lower(), pos, int(head) - 1, relation, start, len(written))
        )
    return DependencyTree(written, tuple(tokens))


def labelled(text: str, *predicates: str) -> DependencyTree:
    """A tree with predicates ``word roleset label=head-or-span[:Role] …``, words counted from 1."""
    of = tree(text)
    found = []
    for written in predicates:
        word, roleset, *arguments = written.split()
        at = int(word) - 1
        found.append(
            Predicate(at, of[at].lemma, roleset, tuple(_argument(of, at, a) for a in arguments))
        )
    return replace(of, predicates=tuple(found))


def _argument(of: DependencyTree, predicate: int, written: str) -> Argument:
    label, _, rest = written.partition("=")
    word, _, role = rest.partition(":")
    head = int(word) - 1
    below = of.subtree(head)
    inside = (
        below if predicate not in below else [t for t in below if t not in of.subtree(predicate)]
    )
    return Argument(
        label, tuple(inside), head, (role.lower(),) if role else (), Role(role) if role else None
    )


def roles(frame: Frame) -> dict[str, str]:
    return {str(role): filler.text for role, filler in frame.fillers.items()}


RELATIONS = """
    nsubj nsubj:pass obj iobj obl obl:agent nmod amod advmod advcl acl acl:relcl xcomp ccomp csubj
    conj cc case mark det cop aux aux:pass expl compound compound:prt parataxis vocative discourse
    appos punct dep list weird:label nmod:poss flat nummod fixed orphan reparandum goeswith
    dislocated
"""
TAGS = "NOUN VERB ADJ ADV PRON PROPN AUX ADP DET NUM PUNCT INTJ SCONJ CCONJ PART SYM X"
WORDS = """
    there not never who what where how that which if to of in with by than as each other one two old
    year years - he her his they it and but more most too no is be has have make go said walked
    walking dog boxes London Monday red slowly ago so 7 ? ! ( " 🎉 é
"""


@st.composite
def any_tree(draw: st.DrawFn) -> DependencyTree:
    size = draw(st.integers(1, 9))
    tokens = []
    for i in range(size):
        head = draw(st.integers(0, i - 1)) if i else -1
        pos = draw(st.sampled_from(TAGS.split()))
        word = draw(st.sampled_from(WORDS.split()))
        relation = draw(st.sampled_from(RELATIONS.split())) if i else "root"
        tokens.append(Token(word, word, pos, head, relation, 10 * i, 10 * i + len(word)))
    return DependencyTree("".join(t.text.ljust(10) for t in tokens), tuple(tokens))
