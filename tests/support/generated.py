"""Material for property tests: sentences of a small grammar, role structures, AMR graphs and word
vectors at random.
"""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from hybridsem._typing import Float32Array
from hybridsem.amr import INSTANCE, AmrGraph, Triple
from hybridsem.combiners.base import Batch
from hybridsem.structures import Filler, Frame, Role, RoleStructure

PEOPLE = ("nurse", "pilot", "old sailor", "clerk", "girl in the red coat", "judge")
THINGS = ("bread", "bicycle", "wooden box", "letter", "three lamps")
# (past, participle) of verbs that take either as object
VERBS = (
    ("carried", "carried"),
    ("saw", "seen"),
    ("hid", "hidden"),
    ("picked up", "picked up"),
    ("painted", "painted"),
)
PLACES = ("", " in the garden", " near the station", " at noon", " quickly", " across the bridge")
FORMS = (
    "The {a} {past} the {b}{place}.",
    "The {b} was {participle} by the {a}{place}.",
    "The {b} was {participle}{place}.",
    "The {a} did not see the {b}{place}.",
    "The {a} is a {b}.",
    "Who {past} the {b}{place}?",
    "The {a} {past} the {b} and the {a} slept{place}.",
    "The {a} who {past} the {b} left{place}.",
    "The {a} said that the {b} was {participle}{place}.",
    "There is a {b}{place}.",
    "The {a} gave the {b} the letter{place}.",
    "{a}, {b}",
)


def _sentence(form: str, a: str, b: str, verb: tuple[str, str], place: str) -> str:
    written = form.format(a=a, b=b, past=verb[0], participle=verb[1], place=place)
    return written[0].upper() + written[1:]


def sentences() -> st.SearchStrategy[str]:
    """Sentences of the grammar."""
    names = st.sampled_from(PEOPLE + THINGS)
    return st.builds(
        _sentence,
        st.sampled_from(FORMS),
        names,
        names,
        st.sampled_from(VERBS),
        st.sampled_from(PLACES),
    )


def some_sentences(n: int) -> list[str]:
    """The same ``n`` distinct sentences every time."""
    rng = np.random.default_rng(0)
    found: dict[str, None] = {}
    while len(found) < n:
        a, b = (PEOPLE + THINGS)[rng.integers(11)], (PEOPLE + THINGS)[rng.integers(11)]
        form, verb, place = FORMS[rng.integers(12)], VERBS[rng.integers(5)], PLACES[rng.integers(6)]
        found[_sentence(form, a, b, verb, place)] = None
    return list(found)


WORDS = ("ant", "bee", "cow", "dig", "eat", "far", "gum", "ant's", "nowhere")


class StubVectors:
    """A vector of no particular length for each of ``WORDS`` but the last, which has none."""

    def __init__(self) -> None:
        rng = np.random.default_rng(1)
        self.table = {
            word: (rng.normal(size=5) * rng.uniform(0.1, 9)).astype(np.float32)
            for word in WORDS[:-1]
        }
        self.table["ant's"] = 2 * self.table["ant"]  # two words that are the same thing

    def embed(self, words: Sequence[str]) -> Float32Array:
        return np.array([self.table.get(word, np.zeros(5, np.float32)) for word in words])


def frames() -> st.SearchStrategy[Frame]:
    """Frames with one to eight roles."""
    words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(tuple)
    fillers = st.builds(lambda words: Filler(" ".join(words), words), words)
    roles = st.dictionaries(st.sampled_from(list(Role)), fillers, min_size=1, max_size=8)
    return st.builds(Frame, st.sampled_from(WORDS), roles, negated=st.booleans())


def structures() -> st.SearchStrategy[RoleStructure]:
    """Structures of one to three frames, without a tree."""
    return st.builds(
        lambda found: RoleStructure("", tuple(found)), st.lists(frames(), min_size=1, max_size=3)
    )


def batch_of(first: RoleStructure, second: RoleStructure, seed: int = 0) -> Batch:
    """Both structures with themselves and with each other in both orders, under unit vectors at
    random.
    """
    vectors = np.random.default_rng(seed).normal(size=(2, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Batch(["one", "two"], [(0, 0), (1, 1), (0, 1), (1, 0)], [first, second], vectors)


CONCEPTS = ("ant", "bee-01", "cow", "dig-02", "eat-01", "name", "and", "nowhere", "have-mod-91")
LABELS = (
    *(":ARG0", ":ARG1", ":ARG1-of", ":mod", ":op1", ":op2"),
    *(":consist-of", ":location", ":poss-of"),
)
CONSTANTS = (
    ("-", ":polarity"),
    ("6", ":quant"),
    ('"Ann"', ":op1"),
    ("imperative", ":mode"),
    ('"a (b) ~ #:c/"', ":value"),
)


@st.composite
def amr_graphs(draw: st.DrawFn, largest: int = 7, concepts: Sequence[str] = CONCEPTS) -> AmrGraph:
    """Graphs of a few nodes with constants, inverted roles, nodes mentioned again, and cycles."""
    size = draw(st.integers(1, largest))
    above = [draw(st.integers(0, i - 1)) for i in range(1, size)]
    triples: list[Triple] = []

    def write(node: int) -> None:
        triples.append(Triple(f"v{node}", INSTANCE, draw(st.sampled_from(concepts))))
        for target, role in draw(st.lists(st.sampled_from(CONSTANTS), max_size=1)):
            triples.append(Triple(f"v{node}", role, target))
        for below in range(node + 1, size):
            if above[below - 1] == node:
                triples.append(Triple(f"v{node}", draw(st.sampled_from(LABELS)), f"v{below}"))
                write(below)
        for other in draw(st.lists(st.integers(0, size - 1), max_size=1)):
            if other != node:
                triples.append(Triple(f"v{node}", draw(st.sampled_from(LABELS)), f"v{other}"))

    write(0)
    return AmrGraph("an ant", tuple(triples), {"id": "1"})
