"""Relations of phrases, and phrases in sentences: form/lemma/tag/head, often without a lemma."""

import time
from pathlib import Path

import pytest

from hybridsem.errors import FormatError, InputError
from hybridsem.phrases import Meaning, Phrase, PhraseLexicon
from hybridsem.phrases.matching import Matcher

LEXICON = PhraseLexicon.standard()


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("call off", "cancel", "equivalent"),
        ("take decision", "decide", "equivalent"),
        ("in spite of", "despite", "equivalent"),
        ("ASAP", "as soon as possible", "equivalent"),
        ("app", "application", "equivalent"),
        ("turn off", "switch on", "opposite"),
        ("have surgery", "operate on", "converse"),
        ("murder", "assassinate", "more general"),
        ("assassinate", "murder", "more specific"),
    ],
)
def test_meaning(first: str, second: str, relation: str) -> None:
    """The relation of the first to the second, from a source that was read."""
    meaning = LEXICON.meaning(first, second)
    assert meaning.relation == relation
    assert meaning.precision >= 0.9


@pytest.mark.parametrize(
    ("first", "second"),
    [("give up", "give in"), ("take off", "take on"), ("call off", "snow"), ("", "")],
)
def test_unrelated(first: str, second: str) -> None:
    """Phrases that look alike."""
    assert LEXICON.meaning(first, second) is None


def test_category() -> None:
    """A category restricts the rows."""
    assert LEXICON.meaning("call off", "cancel", "v") is not None
    assert LEXICON.meaning("call off", "cancel", "n") is None
    assert "cancel" in LEXICON.equivalents("call off", "v")


def test_user_rows(tmp_path: Path) -> None:
    """Rows of a user's file come first; the lexicon itself is unchanged."""
    path = tmp_path / "mine.tsv"
    path.write_text("PTO\tholiday\n\nAcme Cloud\tserver\tmore specific\n", encoding="utf-8")
    mine = LEXICON.extended(path)
    assert mine.meaning("PTO", "holiday") == Meaning("equivalent", "mine.tsv", 1.0)
    assert mine.meaning("server", "acme cloud") == Meaning("more general", "mine.tsv", 1.0)
    assert LEXICON.meaning("PTO", "holiday") is None
    (phrase,) = mine.phrases(["my", "pto"], ["my", "PTO"], ["PRON", "NOUN"], [1, -1])
    assert (phrase.key, phrase.category) == ("PTO", "n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\tb\n\nalone\n", "line 3: expected a phrase, a tab and its meaning"),
        ("a\tb\tsame\n", "line 1: unknown relation 'same'; write one of 'equivalent'"),
        ("a\tb\topposite\tmore\n", "line 1: expected a phrase"),
    ],
)
def test_faulty_rows(tmp_path: Path, content: str, message: str) -> None:
    """The message names the line, and what to write."""
    path = tmp_path / "mine.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        LEXICON.extended(path)


def test_missing_file(tmp_path: Path) -> None:
    """A file that cannot be read."""
    with pytest.raises(InputError, match="cannot be read"):
        LEXICON.extended(tmp_path / "none.tsv")


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
