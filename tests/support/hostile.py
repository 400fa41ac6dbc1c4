"""Strings that are meant to break something, and every public method that takes strings; used by
tests/test_hostile_text.py and benchmarks/soak.py, which does it longer.
"""

import csv
import io
import json
import random
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem import Pipeline, render
from hybridsem._utils.predictors import Logistic
from hybridsem._utils.validation import problem
from hybridsem.calibration import Calibration
from hybridsem.errors import HybridSemError
from hybridsem.evaluation import Card, load_card
from hybridsem.evaluation.report.compare import compare
from hybridsem.evaluation.report.leaderboard.board import leaderboard
from hybridsem.evaluation.report.leaderboard.files import FILES
from hybridsem.evaluation.report.scored import explained, read_scored
from hybridsem.evaluation.report.scored_page import as_page
from hybridsem.evaluation.report.tables import LAYOUTS
from hybridsem.search import Index
from support.damage import _card as plain_card

EVIL = "hs-evil"
"""An element and an attribute of this name are in no page, so one was let in unescaped."""

LINKS = ("href", "src", "xlink:href", "action", "data")

SIGNS = (
    *"aB1 .,;:!?-'\"()[]{}/\\\n\t\0\x1b",
    *("\ud800", "\u200d", "\u202e", "\u0301", "\U0001f600", "\U000e0041", "中", "ß", "1" * 310),
    *("not", "n't", "the dog", "chased", "www.", "@", "::id", "http://", "A.", "(a / b"),
    "e\u0301" * 9,
)
INJECTIONS = (
    *(f"{end}<{EVIL} {EVIL}=1>" for end in ("", '">', "'>", "-->", "]]>", "</script>", "</style>")),
    *(f"{end}<{EVIL}>" for end in ("</title>", "</textarea>", "</svg>", "</td></table>", "<!--")),
    *(f"{mark} {EVIL}={mark}1" for mark in ("'", '"', "`", "")),
    *(f"{mark} onload={mark}{EVIL}" for mark in ("'", '"', "")),
    *(f"<script>{EVIL}</script>", f"<img src=x onerror={EVIL}>", f"<svg/onload={EVIL}>"),
    *(f"javascript:{EVIL}", f"&lt;{EVIL}&gt;", f"&#60;{EVIL}&#62;", f"%3C{EVIL}%3E"),
    *(f"[x](javascript:{EVIL})", f"![x](http://{EVIL}/)", "| a | b |\n| --- | --- |", "# x\n- y"),
    *('=cmd|"/c calc"!A1', "@SUM(1)", "+1+1", "-2+3", '"a","b"\n"c', "\t;a\r\nb"),
    *(
        f"\\input{{{EVIL}}}",
        "$\\write18{x}$",
        "\\end{tabular}",
        "{{7*7}}",
        "${7*7}",
        "$name",
        "%s%n",
    ),
    *("\x1b[31mred", "\x1b]0;title\x07", "\x9b2J", "\r\x1b[K", "\b" * 9, "../../etc/passwd"),
    "'; DROP TABLE sentences; --",
)
SCRIPTS = (
    *("Собака преследовала кошку.", "犬が猫を追いかけた。", "طارد الكلب القطة.", "הכלב רדף."),
    *(
        "कुत्ते ने पीछा किया।",
        "สุนัขไล่แมว",
        "개가 고양이를 쫓았다.",
        "\u202eThe dog\u202c ran.",
        "\u2066a\u2069",
    ),
    *(
        "👨‍👩‍👧‍👦 chased 🐈‍⬛.",
        "🇩🇪🏴\U000e0067\U000e007f",
        "a" + "\u0301" * 500,
        "Z\u0351\u036b\u0343a\u0347l\u0321g\u031bo",
    ),
    *(
        "\ufeffIt rains.",
        "\u2028\u2029\x85",
        "\ufffe\uffff\U0010ffff",
        "\udc80\ud83d",
        "ﬁnance ½ Ⅷ",
    ),
)
SENTENCES = (
    "The dog chased {}.",
    "{} was sued by the bank.",
    "{}",
    "Ann gave {} a book, and {} left.",
    "Not all of {} came.",
)
SLOW = ("dog " * 3000, "x" * 20_000, "not " * 2000, "(" * 5000, "the dog that " * 500, "\n" * 5000)


def signs(draw: random.Random, lengths: Sequence[int] = (1, 3, 10, 40, 400)) -> str:
    """A string of what is hard to read."""
    return draw.choice(("", "", " ", "-")).join(draw.choices(SIGNS, k=draw.choice(lengths)))


def hostile(draw: random.Random) -> str:
    """A string of any kind: blank, huge, of odd characters, an attack alone or in a sentence."""
    kind = draw.random()
    if kind < 0.02:
        return draw.choice(("", " ", "\n\t", "\u00a0", "\u3000", "\u200b"))
    if kind < 0.025:
        return draw.choice(SLOW)
    if kind < 0.2:
        return signs(draw, (1, 3, 10, 40))
    if kind < 0.3:
        return "".join(chr(draw.randrange(0x110000)) for _ in range(draw.choice((1, 5, 40))))
    attack = draw.choice((*INJECTIONS, *SCRIPTS))
    return draw.choice(SENTENCES).format(*[attack] * 2) if kind < 0.8 else attack


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.script = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.script = tag == "script"
        for name, value in [(tag, None), *attributes]:
            link = name in LINKS and (value or "").strip().lower().startswith("javascript:")
            if EVIL in name or ((link or name.startswith("on")) and EVIL in (value or "")):
                self.found.append(f"<{tag} {name}={value!r:.60}>")

    def handle_endtag(self, tag: str) -> None:
        self.script = False

    def handle_data(self, data: str) -> None:
        if self.script and EVIL in data:
            self.found.append(f"in a script: {data!r:.60}")


def check_page(page: str) -> None:
    """Nothing of a text is markup in a page, or a script."""
    if EVIL not in unescape(page).lower():
        return
    parser = _Page()
    parser.feed(page)
    parser.close()
    assert not parser.found, parser.found[:3]


def check_text(text: str) -> None:
    """Nothing of a text acts on a terminal."""
    acts = {letter for letter in text if unicodedata.category(letter) == "Cc"} - {"\n"}
    assert not acts, ascii(acts)


def tried(call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """What a call gives; None for an error of hybridsem.errors."""
    try:
        return call(*args, **options)
    except HybridSemError as error:
        check_text(str(error))
        return None


class Bench:
    """What the methods need, made once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.nlp, self.amr = Pipeline(), Pipeline("amr-cn")
        curve, settings = Logistic(np.array([8.0]), -6.0), self.nlp.settings
        calibration = Calibration(pipeline=settings, of="score", model=curve, threshold=0.5)
        calibration.save(folder / "c.json")
        self.calibrated = Pipeline(calibration=str(folder / "c.json"))
        rows = {"columns": {"score": [0.1, 0.2, 0.4, 0.3], "gold": [1, 2, 3, 4]}, "groups": {}}
        (folder / "card.json").write_text(json.dumps(plain_card() | {"rows": rows}))
        self.card: Card = load_card(folder / "card.json")

    def remember(self, whether: bool) -> None:
        """Whether what is read of a set's strings is kept for the methods that follow."""
        for nlp in (self.nlp, self.amr, self.calibrated):
            if nlp.remembers != whether:
                nlp.remember(200 if whether else 0)


def similarity(bench: Bench, texts: list[str]) -> None:
    for one, two in pairwise(texts):
        score = tried(bench.nlp.similarity, one, two)
        assert score is None or -1 <= score <= 1
        assert score == tried(bench.nlp.similarity, two, one)


def explain(bench: Bench, texts: list[str]) -> None:
    for one, two in pairwise(texts):
        if (found := tried(bench.nlp.explain, one, two)) is not None:
            for form in (render.as_html, render.as_page, render.as_svg):
                check_page(form(found))
            check_page(found._repr_html_())
            check_text(render.as_text(found))
            render.as_terminal(found), repr(found), json.dumps(found.to_dict())


def explain_many(bench: Bench, texts: list[str]) -> None:
    tried(bench.nlp.explain, [*pairwise(texts)])
    assert len(tried(bench.nlp.explain, [*pairwise(_usable(texts))]) or ()) >= 0


def judge(bench: Bench, texts: list[str]) -> None:
    for one, two in pairwise(texts):
        if (found := tried(bench.nlp.judge, one, two)) is not None:
            check_page(found._repr_html_())
            str(found), json.dumps(found.to_dict())
    tried(bench.nlp.judge, [*pairwise(texts)])
    tried(bench.nlp.judge, [*pairwise(_usable(texts))])


def decide(bench: Bench, texts: list[str]) -> None:
    for one, two in pairwise(texts):
        tried(bench.calibrated.decide, one, two)
    tried(bench.calibrated.decide, [*pairwise(texts)])
    tried(bench.calibrated.decide, [*pairwise(_usable(texts))])


def score(bench: Bench, texts: list[str]) -> None:
    tried(bench.nlp.score, [*pairwise(texts)])
    found = tried(bench.nlp.score, [*pairwise(texts)], on_error="skip")
    assert found is None or len(found) == len(texts) - 1


def parse(bench: Bench, texts: list[str]) -> None:
    for nlp in (bench.nlp, bench.amr):
        tried(nlp.parse, texts)
        if (found := tried(nlp.parse, _usable(texts))) is not None:
            check_page(found._repr_html_())
            for one in found:
                check_page(one._repr_html_())
                check_text(render.parsed_as_text(one))
                repr(one)


def encode(bench: Bench, texts: list[str]) -> None:
    for given in (texts, _usable(texts)):
        for space in (None, "role"):
            found = tried(bench.nlp.encode, given, space=space)
            assert found is None or len(found) == len(given)


def flags(bench: Bench, texts: list[str]) -> None:
    for given in (texts, _usable(texts)):
        tried(bench.nlp.truncated, given)
        tried(bench.nlp.foreign, given)


def rank(bench: Bench, texts: list[str]) -> None:
    query, *documents = texts
    tried(bench.nlp.rank, query, documents)
    tried(bench.nlp.rank, texts[:3], documents, on_error="skip", explain=True, top_k=3)
    tried(bench.nlp.rank, query, documents, on_error="skip", return_documents=True)


def mine(bench: Bench, texts: list[str]) -> None:
    tried(lambda: list(bench.nlp.mine(texts)))
    tried(lambda: list(bench.nlp.mine(texts, threshold=0.2, on_error="skip")))
    tried(lambda: list(bench.nlp.mine(texts[:9], texts[9:], threshold=0.2, on_error="skip")))


def deduplicate(bench: Bench, texts: list[str]) -> None:
    tried(bench.nlp.deduplicate, texts)
    twice = [*texts, *(text + " " for text in texts)]
    tried(bench.nlp.deduplicate, twice, threshold=0.5, reworded=True, on_error="skip")


def cluster(bench: Bench, texts: list[str]) -> None:
    tried(bench.nlp.cluster, texts)
    tried(bench.nlp.cluster, texts, threshold=0.2, on_error="skip")


def index(bench: Bench, texts: list[str]) -> None:
    path = bench.folder / "index"
    build = {"force": True, "on_error": "skip"}
    tried(Index.build, texts, path, bench.nlp, force=True)
    tried(Index.build, texts, path, bench.nlp, ids=texts, **build)
    made = tried(Index.build, ["It rains.", *texts[::2]], path, bench.nlp, **build)
    if made is None:
        return
    tried(made.append, texts[1::2])
    tried(made.append, texts[1::2], on_error="skip")
    for query in texts[:4]:
        tried(made.search, query, explain=True)
        tried(made.search, query, exact=False)
        tried(made.search, query, by="roles")
        tried(made.search, agent=query, verb=query[:9])
        tried(bench.nlp.search, [query, "It rains."], made)
        tried(made.delete, [query])
    tried(made.delete, [0])
    check_page(made._repr_html_())
    list(Index.open(path, bench.nlp))


def report(bench: Bench, texts: list[str]) -> None:
    rows = [dict(zip(("text1", "text2"), pair, strict=True)) for pair in pairwise(texts)]
    for at, row in enumerate(rows):
        row |= {"score": 0.1 * at, f"a {texts[0]}": texts[at], "gold": 0.5, "note": texts[at]}
    lines = io.StringIO()
    writer = csv.DictWriter(lines, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    content = lines.getvalue().encode("utf-8", "surrogatepass")
    (bench.folder / "pairs.csv").write_bytes(content)
    jsonl = "".join(json.dumps(row) + "\n" for row in rows)
    (bench.folder / "pairs.jsonl").write_text(jsonl)
    for name in ("pairs.csv", "pairs.jsonl"):
        found = tried(read_scored, bench.folder / name, resamples=0)
        if found is not None:
            check_page(as_page(found))
            if (more := tried(explained, found, bench.nlp, 5, texts[0])) is not None:
                check_page(as_page(more))
                json.dumps(more.to_dict())


def board(bench: Bench, texts: list[str]) -> None:
    cards = [_card(bench.card, *texts[at : at + 3]) for at in range(0, len(texts) - 2, 3)]
    for card in cards:
        check_page(card._repr_html_())
    made = tried(leaderboard, cards, resamples=0)
    for name, form in FILES.items() if made is not None else ():
        page = form(made)
        if name.endswith(".html"):
            check_page(page)
        elif not name.endswith(".json"):
            check_text(page)
            assert f"<{EVIL}" not in page.replace(f"\\<{EVIL}", "") or name.endswith(".csv")
    alike = [_card(bench.card, text) for text in texts[:4]]
    if (table := tried(compare, alike, resamples=20)) is not None:
        check_page(table._repr_html_())
        for layout, form in LAYOUTS.items():
            text = form(table, True)
            check_page(text) if layout == "html" else None
            assert layout != "latex" or f"\\input{{{EVIL}}}" not in text


def _card(card: Card, name: str, note: str = "", source: str | None = None) -> Card:
    """A card with texts in all that a page shows of it."""
    data = card.data if source is None else {**card.data, "source": source, "split": source}
    task = {**card.task, "summary": note, "citation": note, "licence": note}
    model = dict.fromkeys(("name", "parser", "licence", "needs"), name)
    scores = {**card.scores, f"a {note}": card.scores["all"]}
    about = {"model": {**card.model, **model}, "created": note, "notes": (note,)}
    return replace(card, task=task, data=data, scores=scores, **about)


def _usable(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if problem(text) is None]


METHODS: Mapping[str, Callable[[Bench, list[str]], None]] = {
    method.__name__: method
    for method in (
        *(similarity, explain, explain_many, judge, decide, score, parse, encode, flags, rank),
        *(mine, deduplicate, cluster, index, report, board),
    )
}
"""By name: each puts the texts through a method and what shows its results; raises where something
other than an error of hybridsem.errors comes out, or a page holds what it should not.
"""


def sets(seed: int, size: int = 20) -> list[str]:
    """The strings of a seed."""
    draw = random.Random(seed)
    return [hostile(draw) for _ in range(size)]
