"""Each explanation begins with one true sentence, and each line names the words it is about."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from hybridsem import Pipeline
from hybridsem.comparison.edits import Edit, Kind, Words
from hybridsem.comparison.main_clause import main_clause
from hybridsem.explanations import RoleMatch
from hybridsem.render import as_html, as_svg, as_text
from hybridsem.render.wording import NOTHING, lines

SUMMARIES = Path(__file__).with_name("summaries.txt").read_text(encoding="utf-8")
MAIN_CLAUSES = Path(__file__).with_name("main_clauses.txt").read_text(encoding="utf-8")


@cache
def pipeline(model: str) -> Pipeline:
    return Pipeline(model)


@pytest.mark.parametrize("row", SUMMARIES.splitlines())
def test_a_true_sentence_comes_first(row: str) -> None:
    one, two, sentence = row.split(" | ")
    found = pipeline("hybrid").explain(one, two)
    assert found.summary == sentence
    assert str(found).splitlines()[0] == sentence
    assert next(iter(found.to_dict().values())) == sentence


@pytest.mark.parametrize("row", MAIN_CLAUSES.splitlines())
def test_a_main_clause_is_quoted_without_what_it_can_do_without(row: str) -> None:
    text, clause = (part.strip() for part in row.split("|"))
    (tree,) = (one.tree for one in pipeline("hybrid").parse([text]))
    assert main_clause(tree) == clause


@pytest.mark.parametrize(
    ("one", "two", "name"),
    [
        ("She can stay at home.", "She must stay at home.", "other modality"),
        ("It may rain in the shops.", "Sales could rise.", "another word"),
        ("He'll be coming home soon.", "He'll be home soon.", "another word"),
        ("He paid 5 to 10 dollars.", "He paid 6 dollars.", "more or less exact"),
        ("He paid 5 to 10 dollars.", "He paid 8 to 20 dollars.", "perhaps another value"),
    ],
)
def test_a_line_claims_no_more_than_is_so(one: str, two: str, name: str) -> None:
    names = {shown.name for match, shown in lines(pipeline("hybrid").explain(one, two))}
    claims = {"other modality", "another word", "more or less exact", "perhaps another value"}
    assert names & claims == {name}


_ONE_WORD = 'Both sentences say "It"; the first sentence says "rains", the second "{}".'


@pytest.mark.parametrize(
    ("model", "two", "sentence"),
    [
        ("embedded", "It pours.", _ONE_WORD.format("pours")),
        (
            "verbnet-cn",
            "It pours.",
            'The sentences differ most in the role Verb: "rains" and "pours".',
        ),
        ("hybrid-0.1", "It does not rain.", "Only one of the sentences is negated."),
        ("levenshtein", "It reigns.", _ONE_WORD.format("reigns")),
    ],
)
def test_other_models_say_what_they_can(model: str, two: str, sentence: str) -> None:
    assert re.fullmatch(sentence, pipeline(model).explain("It rains.", two).summary)


def test_the_sentence_is_the_first_of_a_page_and_a_picture() -> None:
    found = pipeline("hybrid").explain("The tea is <hot>.", "The tea is cold.")
    for shown in (as_html(found), as_svg(found)):
        _, _, text = shown.partition("</style>")
        assert (
            text.index("opposites.") < text.index(f"{found.score:.2f}") < text.index("cold</text>")
        )
    assert "<hot>" not in as_html(found)
    none = replace(found, score=float("nan"), matches=())
    assert as_text(none).startswith("The pair has no score.\n")


PAIRS = """
The dog chased the cat. | The cat chased the dog.
Unless it snows heavily, they will race. | If it snows heavily, they will race.
With the chairman and without the lawyers it was signed. | The lawyers saw it signed.
Both of them left. | Neither of them left.
Not only Ann came. | Only Ann came.
My sister's landlord is Bea's uncle. | My uncle is Bea's sister's landlord.
The general who had promoted her was betrayed by him. | She was let down by the very general.
"""


@pytest.mark.parametrize("row", PAIRS.strip().splitlines())
def test_lines_have_words_and_the_largest_comes_first(row: str) -> None:
    shown = lines(pipeline("hybrid").explain(*row.split(" | ")))
    for match, line in shown:
        if match.edits:
            assert {line.cell1, line.cell2} != {NOTHING}
    costs = [abs(match.contribution) for match, _ in shown]
    assert costs == sorted(costs, reverse=True)
    events = [edit.event for match, _ in shown for edit in match.edits[:1] if edit.event]
    assert len(events) == len({*events})


def test_an_edit_without_words_shows_what_each_sentence_alone_has() -> None:
    found = pipeline("hybrid").explain("Unless it snows, we go.", "If it snows, we go.")
    edit = Edit(Kind.NEGATION_PARITY, Words(), Words(), 1.0)
    match = RoleMatch(None, None, None, None, 1.0, -0.2, -0.2, edit.kind.value, (edit,))
    found = replace(found, matches=(match,))
    ((_, line),) = lines(found)
    assert (line.cell1, line.cell2) == ("Unless", "If")
    assert found.summary == "The negations or opposites do not balance."
