"""Phrases in sentences, given as form/lemma/tag/head; the lemma may be left out."""

import time

import pytest

from hybridsem.phrases import Phrase
from hybridsem.phrases.matching import Matcher

PHRASES = {
    "v": (
        *("call off", "give up", "put up", "put up with", "turn … on", "look after", "take place"),
        *("take * decision", "take * place of", "kick the bucket", "change one's mind"),
        *("be * aware of", "pull someone's leg", "take … into account", "make up one's mind"),
    ),
    "n": ("ice-cream", "point of view", "IT"),
    "p": ("in spite of", "w/o"),
    "r": ("at once", "asap"),
    "": ("acme cloud",),
}
MATCHER = Matcher((text, category) for category, texts in PHRASES.items() for text in texts)


def phrases(text: str) -> list[Phrase]:
    """Find the phrases of a sentence."""
    forms, lemmas, tags, heads = [], [], [], []
    for token in text.split():
        form, *lemma, tag, head = token.split(",")
        forms.append(form)
        lemmas.append(lemma[0] if lemma else form.lower())
        tags.append(tag)
        heads.append(int(head))
    return MATCHER.phrases(lemmas, forms, tags, heads)


@pytest.mark.parametrize(
    ("text", "key", "tokens", "head"),
    [
        ("She,PRON,1 gave,give,VERB,-1 the,DET,3 plan,NOUN,1 up,ADP,1", "give up", (1, 4), 1),
        ("It,PRON,2 was,be,AUX,2 called,call,VERB,-1 off,ADP,2", "call off", (2, 3), 2),
        ("turned,turn,VERB,3 -,PUNCT,2 on,ADP,0 lamp,NOUN,-1", "turn on", (0, 2), 0),
        ("put,VERB,-1 up,ADP,0 with,ADP,3 noise,NOUN,0", "put up with", (0, 1, 2), 0),
        ("looks,look,VERB,-1 after,ADP,2 her,PRON,0", "look after", (0, 1), 0),
        (
            "took,take,VERB,-1 a,DET,4 very,ADV,3 hard,ADJ,4 decision,NOUN,0",
            *("take decision", (0, 4), 0),
        ),
        (
            "No,DET,1 decision,NOUN,3 was,be,AUX,3 taken,take,VERB,-1",
            *("take decision", (1, 3), 3),
        ),
        ("kicked,kick,VERB,-1 the,DET,2 bucket,NOUN,0", "kick bucket", (0, 1, 2), 0),
        ("changed,change,VERB,-1 her,she,PRON,2 mind,NOUN,0", "change mind", (0, 1, 2), 0),
        ("is,be,AUX,2 well,ADV,2 aware,ADJ,-1 of,ADP,4 it,PRON,2", "be aware of", (0, 2, 3), 2),
        ("pulled,pull,VERB,-1 Ann,PROPN,3 's,PART,1 leg,NOUN,0", "pull leg", (0, 3), 0),
        (
            "take,VERB,-1 the,DET,2 cost,NOUN,0 into,ADP,4 account,NOUN,0",
            *("take into account", (0, 3, 4), 0),
        ),
        ("points,point,NOUN,-1 of,ADP,2 view,NOUN,0", "point of view", (0, 1, 2), 0),
        ("An,DET,3 ice,NOUN,3 -,PUNCT,1 cream,NOUN,-1", "ice cream", (1, 3), 3),
        ("in,ADP,1 spite,NOUN,-1 of,ADP,3 rain,NOUN,1", "in spite of", (0, 1, 2), 1),
        ("w,ADP,3 /,PUNCT,0 o,ADP,3 us,PRON,-1", "w/o", (0, 1, 2), 0),
        ("Send,VERB,-1 it,PRON,0 ASAP,ADV,0", "asap", (2,), 2),
        ("the,DET,1 IT,NOUN,-1 department,NOUN,1", "IT", (1,), 1),
        ("Acme,PROPN,1 Cloud,PROPN,-1", "acme cloud", (0, 1), 1),
    ],
)
def test_phrase(text: str, key: str, tokens: tuple[int, ...], head: int) -> None:
    """The words of a phrase, its head, and no others."""
    assert [(p.key, p.tokens, p.head) for p in phrases(text)] == [(key, tokens, head)]


@pytest.mark.parametrize(
    "text",
    [
        "run,VERB,-1 up,ADP,3 the,DET,3 hill,NOUN,0",
        "takes,take,VERB,-1 his,he,PRON,2 place,NOUN,0",
        "decision,NOUN,1 takes,take,VERB,-1",
        "kicked,kick,VERB,-1 a,DET,2 bucket,NOUN,0",
        "IS,be,AUX,2 IT,PRON,2 HERE,ADV,-1",
        "is,be,AUX,-1 it,PRON,0",
        "",
    ],
)
def test_no_phrase(text: str) -> None:
    """The words of a phrase in another construction, or as another part of speech."""
    assert phrases(text) == []


def test_longest() -> None:
    """Phrases do not share words; the longest wins, in the order of the text."""
    units = phrases("At,ADP,2 once,ADV,2 put,VERB,-1 up,ADP,2 with,ADP,5 ice,NOUN,2")
    assert [unit.key for unit in units] == ["at once", "put up with"]


def test_long_sentences_are_read_in_linear_time() -> None:
    """Hostile input: many verbs and particles under one head."""
    size = 4000
    words = ["give" if i % 2 else "up" for i in range(size)]
    tags = ["VERB" if i % 2 else "ADP" for i in range(size)]
    start = time.process_time()
    MATCHER.phrases(words, words, tags, [-1] + [0] * (size - 1))
    assert time.process_time() - start < 2
