"""Plain text from HTML, mail, and text with invisible characters."""

import time

import pytest

from hybridsem import Pipeline
from hybridsem.english.text_forms import from_html, from_mail, looks_like_html, plain
from hybridsem.errors import UnknownNameError
from hybridsem.judge.labels import Label


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("<p>The dog <b>bark</b>ed.</p><p>It&nbsp;rained.</p>", "The dog barked. It rained."),
        ("Tom &amp; Ann &lt;3 &#8217;tis &#x27;", "Tom & Ann <3 ’tis '"),
        ("<!-- a > b --><script>if (a < b) {}</script>It rains.<br/>", "It rains."),
        ("<style>p { }</style>A<div class='x>'>B", "A '>B"),
        ("if a < b and b > c", "if a < b and b > c"),
        ("a <!-- no end", "a"),
        ("<a href='x'>link</a>", "link"),
        ("<br>", "<br>"),
        ("<!DOCTYPE html><html><body>Hi</body></html>", "Hi"),
        ("<p\nid=1>Hi</P >", "Hi"),
    ],
)
def test_html_is_read_without_tags(given: str, expected: str) -> None:
    assert from_html(given) == expected


def test_html_is_recognised() -> None:
    for text in ("a<br>b", "<p class='x'>a</p>", "a&nbsp;b", "&#39;", "<A HREF=x>y</A>"):
        assert looks_like_html(text)
    for text in ("a < b > c", "x <y@z.org> w", "AT&T; R&D", "List<String> x", "a & b", "<3"):
        assert not looks_like_html(text)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Hi Ann,\n\nThe bus is late.\n\nBest regards,\nTom\nACME Ltd", "The bus is late."),
        ("Dear Dr. Smith,\nIt rains.\nIt pours.\n\nThanks!\nAnn", "It rains.\nIt pours."),
        ("It rains.\n-- \nTom\n+44 1", "It rains."),
        ("> It rained.\nYes.\nCheers", "Yes."),
        ("Hi", "Hi"),
        ("Thanks for the book.\nIt is good.", "Thanks for the book.\nIt is good."),
        ("Hi Ann, the bus is late. It rains.", "Hi Ann, the bus is late. It rains."),
        ("Hi Ann, the bus is late.\nIt rains.", "Hi Ann, the bus is late.\nIt rains."),
        ("Best", "Best"),
    ],
)
def test_a_mail_is_read_without_greeting_and_signature(given: str, expected: str) -> None:
    assert from_mail(given) == expected


def test_invisible_characters_are_left_out() -> None:
    assert plain("co\u00adoperate\ufeff, neigh\u200bbour 👍🏽 👩🏾\u200d🚀") == (
        "cooperate, neighbour 👍 👩\u200d🚀"
    )
    assert plain("\u200b") == "\u200b"


@pytest.mark.parametrize(
    "unit", ["<!--", "<p ", "<script>", "&", "<", ">", "Hi,\n", "\u00ad", "--\n"]
)
def test_time_is_linear(unit: str) -> None:
    text = unit * 100_000
    began = time.perf_counter()
    for read in (plain, looks_like_html, from_html, from_mail):
        read(text)
    assert time.perf_counter() - began < 20


def test_a_pipeline_reads_plain_text(nlp: Pipeline) -> None:
    noisy, clean = (
        "We co\u00adoperate with the neigh\u200bbours 👍🏽.",
        "We cooperate with the neighbours 👍.",
    )
    assert nlp.similarity(noisy, clean) == 1
    assert nlp.judge(noisy, clean).label is Label.SAME
    assert (nlp.encode(noisy) == nlp.encode(clean)).all()
    assert nlp.parse(noisy) == nlp.parse(clean)
    assert nlp.deduplicate([noisy, clean]).kept == (0,)


def test_a_pipeline_reads_html_and_mail(nlp: Pipeline, caplog: pytest.LogCaptureFixture) -> None:
    page, text = "<p>The dog <b>barked</b> &amp; ran.</p>", "The dog barked & ran."
    assert nlp.similarity(page, text) < 1
    [record] = [each for each in caplog.records if each.name == "hybridsem.markup"]
    assert record.getMessage().startswith("1 of 2 texts look like HTML")
    assert Pipeline(text="html").similarity(page, text) == 1
    parsed = Pipeline(text="html").parse(page)
    assert parsed.text == text
    assert Pipeline(text="mail").similarity("Hi Al,\nIt rains.\nBest,\nTom", "It rains.") == 1
    with pytest.raises(UnknownNameError, match="unknown text, got 'htm'. Did you mean 'html'"):
        Pipeline(text="htm")


def test_pictures_that_approve_and_disapprove_differ(nlp: Pipeline) -> None:
    for first, second in (("👍", "👎"), ("❤️", "💔"), ("😀", "😡")):
        one, other = f"I watched it {first}", f"I watched it {second}"
        judgement = nlp.judge(one, other)
        assert judgement.label not in (Label.SAME, Label.ENTAILS, Label.ENTAILED)
        assert judgement.label == nlp.judge(other, one).label
        assert nlp.similarity(one, other) < nlp.similarity(one, f"{one}{first}")
