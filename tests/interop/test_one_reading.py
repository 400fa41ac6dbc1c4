"""One reading of a sentence: Pipeline.parse, explain, ``hybridsem parse``, the spaCy component."""

import json
from collections.abc import Callable
from typing import Any

import click.testing
import pytest

from hybridsem import Pipeline, cli

SENTENCES = [
    "The committee approved the plan.",
    "She gave a lecture on tides to the students.",  # a light verb, a recipient
    "The milk curdled.",
    "My neighbour is a dentist.",
    "Nobody answered the letter.",
    "Where did the twins hide the key?",
    "Put the cups on the shelf!",
    "He promised his sister to wash the car.",
    "The man who repaired our roof plays the trumpet.",
    "Mary sang and Tom danced before the lights went out.",
    "If it rains, the match will be moved to Friday.",
    "I can't find the well-known book's cover.",
    "Storm damages harbour in Wales",
    'He said, "We leave at noon."',
]
"""Of varied kinds; the tokens of spaCy and those of the package are the same in all of them."""

Reading = Callable[[list[str]], list[list[dict[str, Any]]]]


@pytest.fixture(scope="module")
def expected() -> list[list[dict[str, Any]]]:
    """The frames by ``parser="verbnet"``."""
    parsed = Pipeline("verbnet-cn", parser="verbnet").parse(SENTENCES)
    return [structure.to_dict()["frames"] for structure in parsed]


def by_parse(texts: list[str]) -> list[list[dict[str, Any]]]:
    return [structure.to_dict()["frames"] for structure in Pipeline().parse(texts)]


def by_explanations(texts: list[str]) -> list[list[dict[str, Any]]]:
    nlp, found = Pipeline(), []
    for one, two in zip(texts, texts[::-1], strict=True):
        explanation = nlp.explain(one, two)
        assert explanation.structure1.text == one
        found.append(explanation.structure1.to_dict()["frames"])
    return found


def by_command(texts: list[str]) -> list[list[dict[str, Any]]]:
    lines = "".join(f"{text}\n" for text in texts)
    result = click.testing.CliRunner().invoke(cli.cli, ["parse", "--json"], input=lines)
    assert result.exit_code == 0, result.output
    return [json.loads(line)["frames"] for line in result.stdout.splitlines()]


def by_component(texts: list[str]) -> list[list[dict[str, Any]]]:
    spacy = pytest.importorskip("spacy")
    pytest.importorskip("hybridsem.interop.spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("hybridsem")
    added = {"sentence", "tokens"}
    return [
        [{key: value for key, value in frame.items() if key not in added} for frame in doc._.roles]
        for doc in nlp.pipe(texts)
    ]


@pytest.mark.parametrize("read", [by_parse, by_explanations, by_command, by_component])
def test_all_ways_give_the_same_frames(read: Reading, expected: list[list[dict[str, Any]]]) -> None:
    for text, frames, wanted in zip(SENTENCES, read(SENTENCES), expected, strict=True):
        assert frames == wanted, text
