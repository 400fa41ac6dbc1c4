"""What an explanation looks like as text, HTML and SVG, and that nothing in a sentence can act
there.
"""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem._utils.terminal import visible
from hybridsem.comparison.edits import Edit, Kind, Words
from hybridsem.explanations import AlignedPair, CosineParts, Explanation, RoleMatch
from hybridsem.render import (
    as_html,
    as_page,
    as_svg,
    as_terminal,
    as_text,
    html,
    parsed_as_text,
)
from hybridsem.render.layout import MAX_WORDS, WIDTH
from hybridsem.render.wording import Line, in_words, line
from hybridsem.structures import DependencyTree, Filler, Frame, ParseFailure, RoleStructure, Token

SVG = "{http://www.w3.org/2000/svg}"
ONE, OTHER = "The old cat chased a small dog.", "A small dog chased the old cat."


def structure(text: str, with_tree: bool = True, **roles: str) -> RoleStructure:
    tokens = [
        Token(m[0], m[0].lower(), "X", i - 1, "dep", *m.span())
        for i, m in enumerate(re.finditer(r"\w+|\S", text))
    ]
    fillers = {}
    for role, phrase in roles.items():
        start = text.index(phrase)
        inside = (i for i, token in enumerate(tokens) if start <= token.start < start + len(phrase))
        fillers[role] = Filler(phrase, tuple(phrase.split()), tuple(inside) if with_tree else ())
    tree = DependencyTree(text, tuple(tokens)) if with_tree else None
    return RoleStructure(text, (Frame("chase", fillers),), tree=tree)


MATCHES = (
    RoleMatch(None, None, None, None, 0.9, 1.0, 0.9, "sentence"),
    RoleMatch("Verb", "Verb", "chased", "chased", 1.0, 0.1, 0.1),
    RoleMatch("Agent", "Agent", "The old cat", "A small dog", 0.4, 0.1, -0.05),
    RoleMatch("Patient", "Agent", "dog", "dog", 1.0, 0.5, -0.35, "swap"),
    RoleMatch("Time", None, None, None, 0.0, 0.5, 0.0),
)


def explanation(with_tree: bool = True) -> Explanation:
    return Explanation(
        ONE,
        OTHER,
        0.6,
        "hybrid",
        MATCHES,
        structure(ONE, with_tree, Agent="The old cat", Verb="chased", Patient="a small dog"),
        structure(OTHER, with_tree, Agent="A small dog", Verb="chased", Patient="the old cat"),
        ("Agent and Patient are swapped.",),
        {"cosine": 0.9, "exchanged": 1 / 3, "U": 0.75, "polarity_differs": 0.0},
    )


def test_text_has_all_lines_and_adds_up() -> None:
    text = as_text(explanation())
    lines = text.splitlines()
    summary = '"dog" is the Patient in the first sentence and the Agent in the second.'
    assert lines[:4] == [summary, "0.6000 (hybrid)", f"  {ONE}", f"  {OTHER}"]
    assert [row.split()[0] for row in lines[7:12]] == ["whole", "Patient", "Verb", "Agent", "Time"]
    assert re.search(r"whole sentence +0\.9000 +1\.0000 +\+0\.9000", text)
    assert re.search(r"Agent +The old cat +A small dog +0\.4000 +0\.1000 +-0\.0500", text)
    assert re.search(r"Patient → Agent +dog +dog +1\.0000 +0\.5000 +-0\.3500", text)
    assert re.search(r"Time +– +– +– +0\.5000 +\+0\.0000", text)
    assert re.search(r"score +0\.6000", text)
    assert "sentence cosine 0.9000 · 33% of words changed places · U 0.75" in text
    assert lines[-1] == "note: Agent and Patient are swapped."
    added = [float(number) for number in re.findall(r"[+-]\d\.\d{4}$", text, re.MULTILINE)]
    assert sum(added) == pytest.approx(0.6)


def test_text_has_no_colours_in_a_notebook_either(monkeypatch: pytest.MonkeyPatch) -> None:
    text = as_text(explanation())
    assert str(explanation()) == text != ""
    assert explanation()._repr_html_() == as_html(explanation())
    coloured = as_terminal(explanation(), width=100)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == text
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert as_text(explanation()) == text


def test_in_a_narrow_terminal_nothing_is_cut_off() -> None:
    path = ":ARG0:ARG0-of:manner:mod"
    matches = (RoleMatch(path, path, "door", "gate", 0.5, 1.0, 0.5),)
    text = as_text(
        Explanation(ONE, OTHER, 0.5, "amr-cn", matches, details={"cosine": 0.9, "coverage": 1.0}),
        width=50,
    )
    assert "…" not in text
    assert "".join(re.findall(r"^ (:?[\w:-]+)", text, re.MULTILINE)).startswith(f"role{path}score")
    assert text.endswith("sentence cosine 0.9000 · coverage 1")
    assert as_text(explanation(), width=60).endswith(
        "changed places ·\nU 0.75\nnote: Agent and Patient are swapped."
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J gone", "\\x1b[2J gone"),
        ("a\tb\r\nc", "a b  c"),
        ("\u202efdp.exe", "\\u202efdp.exe"),
        ("lone \ud800", "lone \\ud800"),
        ("bell \x07 nul \x00", "bell \\x07 nul \\x00"),
        ("naïve 👩‍🚀 سلام", "naïve 👩‍🚀 سلام"),
    ],
)
def test_acting_characters_are_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_what_looks_like_a_template_or_markup_is_text() -> None:
    text = "It costs $5, $title, ${style} or $$."
    shown = Explanation(text, text, 1.0, "$model", (RoleMatch("A", "A", text, text, 1, 1, 1),))
    for form in (as_html, as_page):
        assert form(shown).count(f"<bdi>{text}</bdi>") == 2
    svg = ElementTree.fromstring(as_svg(shown))
    drawn = [word.text for word in svg.iter(f"{SVG}text") if "hs-word" in word.get("class", "")]
    assert drawn == text.split() * 2
    marked = as_text(Explanation("[red]a[/red] :smile:", "[/b]", 0.5, "[bold]m"))
    assert "\n0.5000 ([bold]m)\n  [red]a[/red] :smile:\n  [/b]\n" in marked


def paths(svg: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [path for path in svg.iter(f"{SVG}path") if kind in path.attrib["class"].split()]


@pytest.mark.parametrize("with_tree", [True, False])
def test_picture_joins_matched_roles(with_tree: bool) -> None:
    svg = ElementTree.fromstring(as_svg(explanation(with_tree)))
    assert len(paths(svg, "hs-curve")) == 4
    assert len(paths(svg, "hs-swap")) == 1
    (verb,) = paths(svg, "hs-s4")[1:]
    (agent,) = paths(svg, "hs-s2")
    assert float(verb.attrib["stroke-width"]) > float(agent.attrib["stroke-width"])
    labels = [text.text for text in svg.iter(f"{SVG}text") if text.get("class") == "hs-label"]
    assert labels == ["Agent", "Verb", "Patient", "Agent", "Verb", "Patient"]


def test_spans_hold_their_words_and_do_not_overlap() -> None:
    svg = ElementTree.fromstring(as_svg(explanation()))
    spans = []
    for group in svg.iter(f"{SVG}g"):
        chips = [rect for rect in group.findall(f"{SVG}rect") if rect.get("class") == "hs-chip"]
        for chip in chips:
            x, y, width = (float(chip.attrib[name]) for name in ("x", "y", "width"))
            spans.append((y, x, x + width))
            for word in group.findall(f"{SVG}text"):
                if "hs-word" in word.attrib["class"]:
                    half = float(word.attrib["textLength"]) / 2
                    assert x < float(word.attrib["x"]) - half
                    assert float(word.attrib["x"]) + half < x + width
    assert len(spans) == 6
    spans.sort()
    for (y, _, end), (next_y, start, _) in pairwise(spans):
        assert next_y > y or start > end


def test_a_long_sentence_is_broken_into_lines_and_a_very_long_one_is_not_drawn() -> None:
    words = "word " * (MAX_WORDS - 1)
    svg = ElementTree.fromstring(as_svg(Explanation(words, "a", 0.1, "m")))
    drawn = [text for text in svg.iter(f"{SVG}text") if "hs-word" in text.get("class", "")]
    assert len(drawn) == MAX_WORDS
    assert len({text.attrib["y"] for text in drawn}) > 3
    assert all(0 < float(text.attrib["x"]) < WIDTH for text in drawn)
    longer = Explanation("word " * 10_000, "a", 0.1, "m")
    assert "too long to be drawn" in as_svg(longer)
    assert "<svg" not in as_page(longer)
    assert "word word" in as_page(longer)


def test_what_is_missing_is_left_out() -> None:
    failed = ParseFailure("x", "no verb \x1b")
    bare = Explanation("A cat.", "x", 0.4, "embedded", MATCHES[:1], None, failed)
    for shown in (as_text(bare), as_page(bare)):
        assert "sentence 2 has no structure: no verb \\x1b" in shown
    assert len(paths(ElementTree.fromstring(as_svg(bare)), "hs-curve")) == 1
    assert "0.0000" in as_text(Explanation("", "", 0.0, "m"))
    assert "<svg" in as_html(Explanation("", "", 0.0, "m"))


class Page(HTMLParser):
    """Collects what a page loads or runs, and checks that tags are closed in order."""

    void = frozenset({"meta", "rect", "path", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(page: str) -> Page:
    parser = Page()
    parser.feed(page)
    parser.close()
    assert not parser.open
    return parser


def test_the_page_stands_alone() -> None:
    page = as_page(explanation())
    found = read(page)
    assert not {"script", "link", "img", "iframe", "object", "base"} & set(found.tags)
    assert not {"src", "href", "srcset"} & {name for name, _ in found.attributes}
    assert not re.search(r"url\(|@import", page)
    assert "prefers-color-scheme: dark" in page
    assert page.count("<tr") == len(MATCHES) + 2
    assert "−0.3500" in page


HOSTILE = '"><script>alert(1)</script><b onmouseover=x>& \u202e\x1b</style></svg>'


def test_hostile_text_is_escaped_everywhere() -> None:
    matches = (
        RoleMatch(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 0.5, 1.0, 0.5),
        RoleMatch(None, HOSTILE, None, HOSTILE, 0.5, 1.0, 0.0, HOSTILE),
    )
    parsed = structure(HOSTILE, Agent="script")
    hostile = Explanation(
        HOSTILE, HOSTILE, 0.5, HOSTILE, matches, parsed, parsed, (HOSTILE,), {HOSTILE: 1.0}
    )
    aligned = (AlignedPair(HOSTILE, HOSTILE, 0.5, HOSTILE, 0, 0),)
    differs = RoleMatch(None, None, HOSTILE, HOSTILE, 0.5, -0.2, -0.1, "opposed")
    hostile = replace(hostile, matches=(*matches, differs), alignment=aligned)
    opened = [
        as_page(replace(hostile, matches=MATCHES, cosine_parts=parts_of(words, 2, HOSTILE)))
        for words in (2, html.MAX_WORDS + 1)
    ]
    assert "alert(1)" in opened[0].partition("<details>")[2]
    for shown in (as_page(hostile), as_html(hostile), as_svg(hostile), *opened):
        found = read(shown)
        assert not {"script", "b" if shown.startswith("<svg") else "script"} & set(found.tags)
        assert not any(name.startswith("on") for name, _ in found.attributes)
        assert not re.search(r"[\x1b\u202e]", shown)
    assert not re.search(r"[\x1b\u202e]", as_text(hostile))


def parts_of(words1: int, words2: int, word: str = "word") -> CosineParts:
    """The parts of a cosine of 0.9, the first pair and the marks adding most."""
    table = np.full((words1 + 1, words2 + 1), -0.1 / (words1 * words2 + words1 + words2 - 1))
    table[0, 0], table[-1, -1] = 0.4, 0.6
    one, two = (
        tuple(f"{word} {side}{number}" for number in range(count))
        for side, count in (("a", words1), ("b", words2))
    )
    return CosineParts(one, two, table)


def test_the_cosine_opens_to_rows_of_partners_that_add_up() -> None:
    parts = parts_of(3, 2)
    parts = replace(parts, words1=("old", *parts.words1[1:]), words2=("aged", "Word A1"))
    aligned = (AlignedPair("old", "aged", 0.8, "synonym", 0, 0),)
    text = as_text(replace(explanation(), cosine_parts=parts, alignment=aligned))
    at = next(n for n, row in enumerate(text.splitlines()) if "whole sentence" in row)
    rows = text.splitlines()[at : at + 5]
    assert re.search(r"of which +old +aged +0\.37\d\d$", rows[1])
    assert re.search(r"^ +word a1 +Word A1 +-", rows[2])
    assert re.search(r"^ +word a2 +-0\.\d{4}$", rows[3])
    assert re.search(r"^ +sentence marks +0\.57\d\d$", rows[4])
    cosine, *added = (float(re.findall(r"-?\d\.\d{4}", row)[0]) for row in rows)
    assert sum(added) == pytest.approx(cosine, abs=2e-4)
    assert "of which" not in as_text(
        replace(explanation(), matches=MATCHES[1:], cosine_parts=parts)
    )


def test_the_cosine_opens_to_a_table_of_all_words() -> None:
    page = as_page(replace(explanation(), cosine_parts=parts_of(2, 3)))
    found = read(page)
    assert found.tags.count("details") == 1
    shown = " ".join("".join(found.text).split())
    assert "What each word of sentence 1 (rows) adds" in shown
    assert re.search(r"of which other words 0\.\d{3}, sentence marks 0\.\d{3}; all pairs", shown)
    # Words and marks as headings of rows and columns, a sum of each.
    assert re.search(r"word b0 ?word b1 ?word b2 ?sentence marks ?sum", shown)
    assert page.count('<th scope="row"><bdi>word a') == 2
    assert page.count('<td class="hs-plus"') == 2
    assert page.count('<td class="hs-minus"') == 10
    assert "0.900" in shown.rpartition("sum")[2]
    many = as_page(replace(explanation(), cosine_parts=parts_of(html.MAX_WORDS + 1, 2)))
    for closed in (as_page(explanation()), many):
        assert "<details" not in closed


TEXT = st.text(st.characters(), max_size=40)
NUMBER = st.floats(-1, 1)


@st.composite
def explanations(draw: st.DrawFn) -> Explanation:
    one, other = draw(TEXT), draw(TEXT)
    role, filler = (
        st.none() | st.sampled_from(["Agent", "Verb", ":ARG0:mod", "<x>"]),
        st.none() | TEXT,
    )
    term = st.sampled_from(["role", "sentence", "swap", "polarity", *map(str, Kind)])
    words = st.builds(Words, st.sampled_from([(), (0,), (9, 1)]), filler.map(str), st.none())
    edits = st.builds(Edit, st.sampled_from(Kind), words, words, NUMBER, NUMBER)
    several = st.lists(edits, max_size=2).map(tuple)
    fillers = filler, filler
    line = st.builds(RoleMatch, role, role, *fillers, NUMBER, NUMBER, NUMBER, term, several)
    matches = draw(st.lists(line, max_size=4))
    parsed = [
        draw(
            st.none()
            | st.just(ParseFailure(text, "why"))
            | st.just(structure(text))
            | st.just(structure(text, False))
        )
        for text in (one, other)
    ]
    words1, words2 = (tuple(draw(st.lists(TEXT, min_size=1, max_size=3))) for _ in range(2))
    size = (len(words1) + 1) * (len(words2) + 1)
    numbers = draw(st.lists(NUMBER, min_size=size, max_size=size))
    table = np.array(numbers).reshape(len(words1) + 1, len(words2) + 1)
    parts = draw(st.none() | st.just(CosineParts(words1, words2, table)))
    score = draw(NUMBER)
    relation, token = st.sampled_from(["same", "none", "antonym", "<x>"]), st.integers(0, 5)
    pair = st.builds(AlignedPair, TEXT, TEXT, NUMBER, relation, token, token)
    return Explanation(
        one,
        other,
        score,
        "m",
        tuple(matches),
        *parsed,
        cosine_parts=parts,
        alignment=tuple(draw(st.lists(pair, max_size=3))),
    )


@given(explanations())
def test_any_explanation_can_be_shown(given_one: Explanation) -> None:
    for shown in (
        as_text(given_one),
        as_terminal(given_one, width=80),
        as_page(given_one),
        as_svg(given_one),
    ):
        shown.encode()
    ElementTree.fromstring(as_svg(given_one))
    read(as_page(given_one))


def test_parsed_sentences_as_text() -> None:
    parsed = structure(ONE, Agent="The old cat", Verb="chased")
    frame = replace(parsed.main, negated=True, voice="passive", modality="can")
    assert parsed_as_text(replace(parsed, frames=(frame, Frame("sleep", {})), truncated=True)) == (
        f"{ONE}\n  chase  (passive, negated, can)\n    Agent  The old cat\n    Verb   chased\n "
        " sleep\n"
        "  truncated: longer than the parser reads\n"
    )
    assert parsed_as_text(ParseFailure("\x1b", "why")) == "\\x1b\n  not parsed: why\n"


# Two roles, two fillers, the similarity, the term, and the line: its name and its cells.
LINES = """
Agent | Theme | the | the | 1.0 | swap | Agent → Theme | The | The
Agent | Theme | cat | dog | 0.6 | swap | Agent → Theme | cat | dog
Time | Time | today | now | 0.6 | swap | Time, other clause | today | now
none | none | none | none | none | polarity | negated | chased | not chased
Agent | none | cat | none | none | role | Agent | cat | –
none | none | a | b | 0.5 | unheard of | unheard of | a | b
Theme | Patient | a | b | 0.3 | role | Theme / Patient | a | b
"""


@pytest.mark.parametrize("row", LINES.strip().splitlines())
def test_lines_that_compare_no_roles_are_named_in_words(row: str) -> None:
    *given, term, name, one, two = (None if cell == "none" else cell for cell in row.split(" | "))
    similarity = None if given[4] is None else float(given[4])
    match = RoleMatch(*given[:4], similarity or 0.0, 0.0, 0.0, term)
    parsed = structure(ONE, Agent="The old cat", Verb="chased")
    negated = replace(parsed, frames=(replace(parsed.main, negated=True),))
    whole = Explanation("Ana", OTHER, 0.5, "m", (match,), parsed, negated)
    assert line(match, whole) == Line(name, one, two, similarity)


# What differs, in words.


def difference(kind: Kind, one: tuple[str, ...], two: tuple[str, ...], lost: float) -> RoleMatch:
    """The line of an edit; words stand with their tokens: "red:0"."""
    sides = []
    for words in (one, two):
        pairs = [word.split(":") for word in words]
        sides.append((", ".join(text for text, _ in pairs), tuple(int(at) for _, at in pairs)))
    (text1, tokens1), (text2, tokens2) = sides
    edit = Edit(kind, Words(tokens1), Words(tokens2), 0.5)
    texts = (text1 or None, text2 or None)
    return RoleMatch(None, None, *texts, 0.5, 2 * lost, lost, kind.value, (edit,))


def compared() -> Explanation:
    """Sentences that differ in several ways."""
    one, two = "Red Ann slept before noon.", "Ann red slept after noon."
    ann = ("Ann (Agent):1",), ("Ann (Patient):0",)
    matches = (
        RoleMatch(None, None, None, None, 0.9, 1.0, 0.9, "sentence"),
        difference(Kind.ROLE, *ann, -0.1),
        difference(Kind.PREPOSITION_OPPOSED, ("before noon:4",), ("after noon:4",), -0.3),
        difference(Kind.ROLE, ("red (Patient):0",), ("red (Agent):1",), -0.001),
        difference(Kind.ADDED_NAMES, (), ("red:1", "Ann:0"), -0.04),
        difference(Kind.NEGATION_PARITY, (), (), -0.01),
    )
    words = (("Red", 0, 1), ("Ann", 1, 0), ("slept", 2, 2), ("noon", 4, 4))
    return Explanation(
        one,
        two,
        0.449,
        "hybrid",
        matches,
        structure(one, Agent="Red Ann", Verb="slept", Time="before noon"),
        structure(two, Agent="Ann red", Verb="slept", Time="after noon"),
        details={"cosine": 0.9, "roles exchanged": 0.5},
        alignment=tuple(
            AlignedPair(word, word.lower() if word == "Red" else word, 1.0, "same", at1, at2)
            for word, at1, at2 in words
        ),
    )


def test_what_differs_is_said_in_words_and_adds_up() -> None:
    shown = as_text(compared())
    assert re.search(r"opposed prepositions +before noon +after noon +– +– +-0\.3000", shown)
    assert re.search(r"changed places +Ann \(Agent\) +Ann \(Patient\) +– +– +-0\.1000", shown)
    assert re.search(r"without a counterpart +– +red, Ann +– +– +-0\.0400", shown)
    added = [float(number) for number in re.findall(r"[+-]\d\.\d{4}$", shown, re.MULTILINE)]
    assert sum(added) == pytest.approx(0.449)
    assert shown.splitlines()[-1] == "aligned Red · Ann · slept · noon"
    assert "roles exchanged" not in shown


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        (("Dog", "dog", 1.0, "same"), "Dog"),
        (("walk", "walking", 1.0, "same"), "walk – walking"),
        (("two", "three", 0.726, "none"), "two – three (0.73)"),
        (("hot", "cold", 0.8, "antonym"), "hot – cold (opposites)"),
        (("a", "b", 0.8, "new \x1b"), "a – b (new \\x1b)"),
    ],
)
def test_aligned_words_in_words(pair: tuple[str, str, float, str], said: str) -> None:
    assert in_words(AlignedPair(*pair, 0, 0)) == said


def test_the_picture_joins_aligned_words_and_says_what_they_lose() -> None:
    svg = ElementTree.fromstring(as_svg(compared()))
    # Two lose something; what the exchange of "Red" takes would read as 0.00.
    assert len(paths(svg, "hs-swap")) == 2
    assert len(paths(svg, "hs-curve")) == 5
    texts = [text.text for text in svg.iter(f"{SVG}text")]
    assert "changed places −0.10" in texts
    assert "opposed prepositions −0.30" in texts
    # What no aligned words lose stands at the bracket.
    assert texts[texts.index("other") + 1] == "−0.05"
    svg = ElementTree.fromstring(as_svg(replace(compared(), structure1=None, structure2=None)))
    assert "changed places −0.10" in [text.text for text in svg.iter(f"{SVG}text")]
