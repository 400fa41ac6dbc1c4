"""What a pipeline compares of sentences and derives, for tests that look inside."""

from hybridsem import Pipeline
from hybridsem.combiners.hybrid import Compared
from hybridsem.comparison.logic import direction
from hybridsem.comparison.reading import read_sentence
from hybridsem.judge.contexts import LogicalSentence, logical
from hybridsem.judge.derivation import Derivation, derive

SIGNS = {1: "+", -1: "-", 0: "0"}


def compared(nlp: Pipeline, one: str, other: str) -> Compared:
    """The comparison of a pair."""
    (pair,) = nlp.combiner.compared(nlp.read([(one, other)]))
    return pair


def derived(nlp: Pipeline, one: str, other: str) -> Derivation:
    """The derivation of the second sentence from the first."""
    batch = nlp.read([(one, other)])
    (pair,) = nlp.combiner.compared(batch)
    found = derive(pair)
    return found if pair.first == batch.pairs[0][0] else found.inverted


def read_logical(nlp: Pipeline, text: str) -> LogicalSentence:
    """A sentence with the contexts of its words."""
    return logical(read_sentence(nlp.parse(text)))


def signed(sentence: LogicalSentence) -> list[str]:
    """Each word with the sign of its direction: "dogs-"."""
    return [
        token.text + SIGNS[direction([each.context for each in around])]
        for token, around in zip(sentence.tree, sentence.contexts, strict=True)
    ]
