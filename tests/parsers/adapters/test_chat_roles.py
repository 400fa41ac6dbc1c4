"""Roles by a language model: a local server that answers as chat completions do."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.local_server import Asked, answering

from hybridsem import Pipeline
from hybridsem._utils import service
from hybridsem.errors import InputError, ServiceError
from hybridsem.parsers.adapters.chat_roles import ChatRoles
from hybridsem.structures import ParseFailure

pytest.importorskip("httpx")

ROLES = {
    "The cook peeled an apple.": {"Agent": "The cook", "Verb": "peeled", "Patient": "an apple"},
    "The cook slept.": {"agent": "the cook", "Verb": "slept", "Time": "NONE", "Mood": "bad"},
    "A dog ran home.": {"Agent": "A dog", "Verb": "ran", "Trajectory": "to the moon"},
}


@pytest.fixture
def served(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """The requests that a server has seen, and what it answers to other sentences."""
    monkeypatch.delenv("HYBRIDSEM_OFFLINE", raising=False)
    monkeypatch.setattr(service, "sleep", lambda _: None)
    state = SimpleNamespace(seen=[], otherwise="I cannot tell.")

    def answer(asked: Asked) -> str:
        body = json.loads(asked.body)
        state.seen.append({"path": asked.path, **body})
        found = ROLES.get(body["messages"][0]["content"].rpartition("Sentence: ")[2])
        text = f"Here:\n```json\n{json.dumps(found)}\n```" if found else state.otherwise
        return json.dumps({"choices": [{"message": {"content": text}}]})

    with answering(answer) as url:
        state.url = f"{url}/v1"
        yield state


def test_the_answers_are_structures_in_order(served: SimpleNamespace) -> None:
    parser = ChatRoles(served.url, "m")
    sentences = [*ROLES, "Rain.", "The cook slept."]
    peeled, slept, ran, rain, again = parser.parse(sentences)
    assert {role: filler.text for role, filler in peeled.roles.items()} == {
        "Verb": "peeled",
        "Agent": "The cook",
        "Patient": "an apple",
    }
    assert list(slept.roles) == ["Verb", "Agent"]
    assert again == slept
    assert "Trajectory" not in ran.roles  # its words are not in the sentence
    assert "is not a JSON object, got 'I cannot tell.'" in rain.reason
    assert len(served.seen) == 4  # the same sentence once
    assert served.seen[0]["path"] == "/v1/chat/completions"
    assert (served.seen[0]["model"], served.seen[0]["temperature"]) == ("m", 0)


def test_it_is_a_parser_by_name_and_keeps_its_answers(
    served: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    nlp = Pipeline("verbnet-cn-2024", parser=f"chat:{served.url},model=m")
    found = nlp.explain("The cook peeled an apple.", "The cook slept.")
    assert {match.role1 for match in found.matches} == {"Agent", "Verb", "Patient"}
    monkeypatch.setenv("HYBRIDSEM_OFFLINE", "1")
    assert nlp.similarity("The cook peeled an apple.", "The cook slept.") == found.score
    assert len(served.seen) == 2
    with pytest.raises(ServiceError, match="HYBRIDSEM_OFFLINE is set and 1 roles of chat:m"):
        nlp.parse(["Something new."])


@pytest.mark.parametrize("answer", ['{"Agent": 3}', '{"Agent": "nobody"}', "{broken}", "[1]", ""])
def test_answers_without_roles_are_failures(served: SimpleNamespace, answer: str) -> None:
    served.otherwise = answer
    (found,) = ChatRoles(served.url, "m").parse(["Rain falls."])
    assert isinstance(found, ParseFailure)
    assert found.text == "Rain falls."


def test_what_cannot_be() -> None:
    with pytest.raises(InputError, match="needs an http address and a model"):
        ChatRoles("localhost", "m")
    with pytest.raises(InputError, match="timeout must be a number"):
        Pipeline("verbnet-cn", parser="chat:http://x/v1,model=m,timeout=soon")
