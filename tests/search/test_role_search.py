"""Queries by roles: phrases, direction, and how a phrase matches."""

import pytest

from hybridsem import Pipeline
from hybridsem.errors import InputError
from hybridsem.search.clauses import Clauses, slot_query
from hybridsem.search.index import Hit, Index
from hybridsem.search.slots import (
    IN_PHRASE,
    LEAST_FILLER,
    Match,
    Matcher,
    QueryWord,
    similar_lemmas,
)
from hybridsem.search.storage import Outline

TEXTS = [
    "How do I convert a PDF to an image?",
    "Convert PDF files to images.",
    "A PDF to image converter.",
    "The conversion of PDF files into images failed.",
    "We turned the PDF into pictures.",
    "A folder of PDFs was converted to JPG.",
    "This tool turns images into a PDF.",
    "Convert images to PDF files.",
    "An image to PDF converter.",
    "Transform the report from PDF into PNG.",
    "Export the spreadsheet as a CSV file.",
    "He flew from Paris to London.",
    "Move the files from the laptop to the server.",
    "Send the laptop to Anna.",
    "The bank's manager sued the paper.",
    "The bank manager sued the old paper.",
    "The old bank sued the paper.",
    "The prince turned into a frog.",
    "Look into the matter.",
    "The man drives a red lorry.",
    "A man drives a truck.",
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return Index.build(TEXTS, tmp_path_factory.mktemp("roles") / "idx", Pipeline())


def hits(index: Index, roles: dict[str, str]) -> list[Hit]:
    every = index.search(top_k=len(TEXTS), **roles)
    assert index.search(top_k=2, **roles) == every[:2], "bounds lose none"
    return every


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ({"verb": "convert", "patient": "pdf"}, {0, 1, 2, 3, 4, 5}),
        ({"verb": "convert", "source": "pdf", "result": "image"}, {0, 1, 2, 3, 4}),
        ({"verb": "convert", "source": "images", "result": "pdf"}, {6, 7, 8}),
        ({"verb": "convert", "patient": "image"}, {6, 7, 8}),
        ({"verb": "turn", "result": "a PDF"}, {6, 7}),
        ({"verb": "transform", "source": "pdf", "result": "png"}, {9}),
        ({"verb": "export", "patient": "spreadsheet"}, {10}),
        ({"verb": "export", "patient": "csv"}, set()),
        ({"verb": "export", "result": "csv"}, {10}),
        ({"verb": "fly", "source": "Paris"}, {11}),
        ({"verb": "fly", "source": "London"}, set()),
        ({"source": "laptop"}, {12}),
        ({"verb": "turn", "source": "prince", "result": "frog"}, {17}),
        ({"verb": "look", "theme": "matter"}, {18}),
        ({"agent": "bank", "verb": "sue"}, {15, 16}),
    ],
)
def test_phrases_and_directions(index: Index, roles: dict[str, str], expected: set[int]) -> None:
    assert {hit.id for hit in hits(index, roles)} == expected


def test_the_kind_of_match(index: Index) -> None:
    matches = {}
    for hit in hits(index, {"verb": "drive", "theme": "lorry"}):
        assert hit.slots["Verb"] == ("drives", 1.0, Match.EXACT)
        matches[hit.id] = hit.slots["Theme"]
    assert matches[19] == ("red lorry", IN_PHRASE, Match.PHRASE)
    assert matches[20].match == Match.SIMILAR
    assert LEAST_FILLER <= matches[20].similarity < IN_PHRASE


def test_exact_matches_come_first(index: Index) -> None:
    first, second, *_ = hits(index, {"verb": "convert", "patient": "PDF files"})
    assert (first.id, first.score) == (1, 1.0)
    assert second.score < 1
    shorter = {hit.id: hit.slots for hit in hits(index, {"verb": "convert", "patient": "a PDF"})}
    assert shorter[0]["Patient"].match == Match.EXACT
    assert next(iter(shorter)) == 0


def test_a_phrase_of_other_words_is_not_a_hit(index: Index) -> None:
    assert not hits(index, {"verb": "sue", "theme": "old house"})
    assert {hit.id for hit in hits(index, {"verb": "sue", "theme": "old paper"})} == {14, 15, 16}


def test_the_best_are_those_of_all(index: Index) -> None:
    for text in TEXTS:
        if "converter" not in text and not text.startswith("Look"):
            every = index.search(text, len(TEXTS), by="roles")
            for top_k in (1, 2, 5):
                assert index.search(text, top_k, by="roles") == every[:top_k]


ROLES = [
    {"Verb": "convert", "Source": "a PDF"},
    {"Agent": "bank"},
    {"Verb": "sell", "Theme": "car"},
]


@pytest.mark.parametrize("asked", [*TEXTS, *ROLES])
def test_no_score_exceeds_its_bound(index: Index, asked: str | dict[str, str]) -> None:
    contents, model = index.contents, index.reader
    try:
        query = slot_query(model, asked)
    except InputError:  # "An image to PDF converter."
        return
    matcher = Matcher(query, contents, model)
    bounds = dict(zip(*(array.tolist() for array in matcher.bounds()), strict=True))
    for at, row in enumerate(contents.live_rows()):
        words = contents.words(row, Outline)
        assert matcher.clause(Clauses(words))[0] <= bounds.get(at, 0.0), row.text


def test_similar_words_do_not_depend_on_others(index: Index) -> None:
    words = [QueryWord("pdf", "NOUN", False), QueryWord("convert", "VERB", True)]
    together = similar_lemmas(words, index.contents, index.reader)
    index.contents.near.clear()
    assert together == [similar_lemmas([w], index.contents, index.reader)[0] for w in words]


@pytest.mark.parametrize("text", ["7", "的" * 50, "pdf " * 5000, "?!", "to"])
def test_odd_phrases(index: Index, text: str) -> None:
    for role in ("source", "result", "patient", "verb"):
        hits(index, {role: text})
