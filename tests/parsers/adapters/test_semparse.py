"""SemParse: a local server that answers as its service does, and fails as services fail."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from support.local_server import Asked, answering

from hybridsem import Pipeline
from hybridsem._utils import service as _service
from hybridsem.errors import InputError, ServiceError, UnknownNameError
from hybridsem.parsers.adapters.semparse import SemParse
from hybridsem.structures import ParseFailure, RoleStructure


def span(
    start: int, end: int, words: list[str], pb: str, vn: str = "", description: str = ""
) -> dict[str, Any]:
    label, text = f"{pb} <-> {vn}" if vn else pb, " ".join(words[start : end + 1])
    names = {"label": label, "text": text, "pb": pb, "vn": vn, "description": description}
    return {"index": 0, "isPredicate": pb == "V", "start": start, "end": end, **names}


def answer_of(utterance: str) -> dict[str, Any]:
    """As the service answers: the text in pieces around the predicates, the first sentence of
    several only.
    """
    words = utterance.split(".")[0].replace("n't", " n't").split()
    if "gave" not in words:
        return {"tokens": [{"index": 0, "text": " ".join(words)}], "props": []}
    verb = words.index("gave")
    tokens = [
        {"index": 0, "isPredicate": part == ["gave"], "text": " ".join(part)}
        for part in (words[:verb], words[verb : verb + 1], words[verb + 1 :])
    ]
    spans = [
        span(0, verb - 1, words, "A0", "Agent", "giver"),
        span(verb, verb, words, "V", "Verb"),
        span(verb + 1, verb + 1, words, "A2", "Recipient", "entity given to"),
        span(verb + 2, verb + 3, words, "A1", "", "thing removed"),
    ]
    if len(words) > verb + 4:
        spans.append(span(verb + 4, len(words) - 1, words, "AM-TMP", "", "temporal"))
    return {
        "tokens": tokens,
        "props": [{"sense": "give-13.1-1", "mainEvent": None, "events": [], "spans": spans}],
    }


@pytest.fixture
def service() -> Iterator[SimpleNamespace]:
    """``faults``: by utterance, the (status, body) that its requests get in turn."""
    state = SimpleNamespace(faults={}, asked=[])

    def answer(asked: Asked) -> tuple[int, str] | str:
        address = urlsplit(asked.path)
        (utterance,) = parse_qs(address.query)["utterance"]
        state.asked.append(utterance)
        if address.path != "/predict/semantics":
            return 404, "<html>no such page</html>"
        if state.faults.get(utterance):
            return state.faults[utterance].pop(0)
        return json.dumps(answer_of(utterance))

    with answering(answer) as state.url:
        yield state


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HYBRIDSEM_OFFLINE", raising=False)
    monkeypatch.setattr(_service, "sleep", lambda _: None)


ANN = "Ann gave Bob two books yesterday"


def roles(structure: object) -> dict[str, str]:
    assert isinstance(structure, RoleStructure), structure
    return {str(role): filler.text for role, filler in structure.roles.items()}


def test_roles_of_an_answer(service: SimpleNamespace) -> None:
    (structure,) = SemParse(service.url).parse([ANN])
    # a recipient is a Patient; a role without a VerbNet name goes by its description, a modifier by
    # its label
    others = {"Verb": "gave", "Agent": "Ann", "Theme": "two books", "Time": "yesterday"}
    assert roles(structure) == others | {"Patient": "Bob"}
    assert [(a.label, a.verbnet) for a in structure.main.arguments] == [
        ("ARG0", ("agent",)),
        ("ARG2", ("recipient",)),
        ("ARG1", ()),
        ("ARGM-TMP", ()),
    ]
    assert not structure.truncated


def test_a_pipeline_asks_each_sentence_once_and_keeps_the_order(
    service: SimpleNamespace, tmp_path: Path
) -> None:
    cache = tmp_path / "answers.sqlite"
    nlp = Pipeline("verbnet-cn", parser=f"semparse:{service.url}/,workers=3,cache={cache}")
    sentences = [f"Ann{n} gave Bob two books" for n in range(9)]
    parsed = nlp.parse([*sentences, sentences[0]])
    agents = [f"Ann{n}" for n in (*range(9), 0)]
    assert [roles(structure)["Agent"] for structure in parsed] == agents
    assert sorted(service.asked) == sentences
    assert nlp.similarity(sentences[0], sentences[0]) == pytest.approx(1)
    again = Pipeline("verbnet-cn", parser=f"semparse:{service.url},cache={cache}").parse(sentences)
    assert again == parsed[:9]
    assert len(service.asked) == 9


def test_a_predicate_of_two_words_and_a_piece_without_text(service: SimpleNamespace) -> None:
    answer = answer_of(ANN)
    answer["props"][0]["spans"][1]["end"] = 2
    del answer["props"][0]["spans"][2]
    answer["tokens"].insert(0, {"index": 0, "isPredicate": False, "start": 0, "end": 0, "text": ""})
    service.faults[ANN] = [(200, json.dumps(answer))]
    (structure,) = SemParse(service.url).parse([ANN])
    assert roles(structure)["Verb"] == "gave Bob"


def test_what_the_service_leaves_out_is_said(service: SimpleNamespace) -> None:
    first, second = SemParse(service.url).parse(
        ["Ann gave Bob two books. He read them.", "No verb here"]
    )
    assert isinstance(first, RoleStructure)
    assert first.truncated
    assert second == ParseFailure("No verb here", "SemParse finds no predicate in it")


NO_PARSE = "did not answer with a parse"


def spanning(span: str) -> tuple[int, str]:
    return 200, f'{{"tokens": [{{"text": "a b"}}], "props": [{{"spans": [{{{span}}}]}}]}}'


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ((200, "<!DOCTYPE html><p>SemParse</p>"), "did not answer with JSON, got '<!DOCTYPE html>"),
        (spanning('"start": 0, "end": 7, "pb": "V"'), NO_PARSE),
        (spanning('"start": 0, "end": 0, "pb": "A0"'), NO_PARSE),
        ((200, "[" * 100_000), "did not answer with JSON"),
        (spanning('"start": 0, "end": Infinity, "pb": "V"'), NO_PARSE),
        ((400, '{"error": "Bad Request"}'), "SemParse refused: 400 Bad Request"),
    ],
)
def test_a_failure_is_that_of_its_sentence(
    service: SimpleNamespace, fault: tuple[int, str], reason: str, tmp_path: Path
) -> None:
    service.faults["bad"] = [fault] * 4
    cache = tmp_path / "answers.sqlite"
    first, second = SemParse(service.url, cache=cache).parse(["bad", ANN])
    assert reason in first.reason
    assert roles(second)["Agent"] == "Ann"
    service.faults.clear()
    (again,) = SemParse(service.url, cache=cache).parse(["bad"])  # a failure is not kept
    assert again == ParseFailure("bad", "SemParse finds no predicate in it")


def test_where_nobody_answers(service: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        ServiceError, match="SemParse gave no answer in 2 attempts; the last: ConnectError"
    ):
        SemParse("http://127.0.0.1:9").parse([ANN, "another"])
    with pytest.raises(ServiceError, match="has no address"):
        SemParse("http://h:x").parse([ANN])
    monkeypatch.setenv("HYBRIDSEM_OFFLINE", "1")
    with pytest.raises(ServiceError, match="HYBRIDSEM_OFFLINE is set"):
        SemParse(service.url).parse([ANN])
    assert not service.asked


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("semparse:localhost:8080", "needs an http address, got 'localhost:8080'"),
        ("semparse:http://h:1,workers=0", "workers is a whole number from 1, got 0"),
        ("semparse:http://h:1,workers=x", "workers must be a number, got 'x'"),
        ("semparse:http://h:1,timeout=nan", "timeout is a number of seconds, got nan"),
    ],
)
def test_options(part: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Pipeline("verbnet-cn", parser=part)
    with pytest.raises(UnknownNameError, match="unknown option, got 'key'"):
        Pipeline("verbnet-cn", parser="semparse:http://h:1,key=x")
