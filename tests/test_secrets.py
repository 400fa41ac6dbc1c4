"""No key, user or password reaches a message, log, card, cache or output."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.local_server import Asked, answering

from hybridsem import Pipeline, errors
from hybridsem._utils.service import Chat
from hybridsem.assets import cache_folder
from hybridsem.batch import score_file
from hybridsem.batch.identity import maker_of, settings_of
from hybridsem.cli import main
from hybridsem.embeddings.api import ApiEncoder
from hybridsem.errors import FormatError, HybridSemError, InputError, ServiceError, redacted
from hybridsem.evaluation import evaluate
from hybridsem.evaluation.model import evaluated_model
from hybridsem.parsers.adapters.semparse import SemParse

KEY, USER, WORD = "sk-0123456789abcdef", "someuser", "pass-w0rd"
SECRETS = (KEY, USER, WORD, KEY[:8], "K-in-address")


@pytest.fixture
def server(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """What a server answers, and the ``paths`` that it was asked for."""
    for name in ("HYBRIDSEM_API_KEY", "SEMPARSE_KEY"):
        monkeypatch.delenv(name, raising=False)
    state = SimpleNamespace(status=200, content="", paths=[])

    def answer(asked: Asked) -> tuple[int, str]:
        state.paths.append(asked.path)
        return state.status, state.content

    with answering(answer) as state.url:
        yield state


def clean(text: str) -> bool:
    return not [secret for secret in SECRETS if secret in text]


ESCAPED = "".join(f"\\u{ord(sign):04x}" for sign in KEY)
ANSWERS = [
    (401, json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}"}})),
    (400, json.dumps({"detail": f"{'x' * 290}{KEY}"})),  # cut in the middle of the key
    (500, f"<html>{KEY}</html>"),
    (200, f"no json, {'x' * 50} {KEY}"),
    (200, json.dumps({"authorization": f"Bearer {KEY}"})),
    (200, json.dumps({"x": f"{'y' * 180}{KEY}"})),
    (200, f'{{"data": [{{"embedding": "{ESCAPED}", "index": 0}}]}}'),
    (200, f'{{"{ESCAPED}": 1}}'),
    (401, f'{{"error": "{ESCAPED}"}}'),
]


@pytest.mark.parametrize(("status", "content"), ANSWERS)
def test_a_key_that_the_answer_echoes_is_not_shown(
    status: int,
    content: str,
    server: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for name in ("HYBRIDSEM_API_KEY", "OPENAI_API_KEY", "SEMPARSE_KEY"):
        monkeypatch.setenv(name, KEY)
    server.status, server.content = status, content
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr("hybridsem._utils.service.sleep", lambda seconds: None)
    encoder = ApiEncoder("openai", "m", url=f"{server.url}/v1/embeddings")
    chat = Chat(f"{server.url}/v1", "m", "answers", attempts=2, pause=0)
    for ask in (lambda: encoder.encode(["a"]), lambda: chat.answers(["a"], cache_folder())):
        with pytest.raises(ServiceError) as caught:
            ask()
        assert clean(str(caught.value))
    (failure,) = SemParse(server.url).parse(["a"])
    assert clean(failure.reason)
    assert clean(caplog.text)


def vectors(count: int) -> str:
    return json.dumps({"data": [{"index": i, "embedding": [1.0, i]} for i in range(count)]})


@pytest.fixture
def address(server: SimpleNamespace) -> str:
    """A server's address with all kinds of secrets."""
    host = server.url.removeprefix("http://")
    server.content = vectors(2)
    return f"http://{USER}:{WORD}@{host}/v1?api_key=K-in-address&api-version=3"


def test_credentials_in_an_address_are_used_and_kept_nowhere(
    server: SimpleNamespace, address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    pairs, name = tmp_path / "in.csv", f"api:{address},model=m"
    pairs.write_text("s1,s2\nA dog ran.,A cat sat.\n")
    pipeline = Pipeline(name)
    report = score_file(pipeline, pairs, tmp_path / "out.csv", cache=tmp_path / "kept")
    assert report.scored == 1
    assert server.paths == ["/v1/embeddings?api_key=K-in-address&api-version=3"]
    shown = [
        repr(pipeline),
        repr(pipeline.encoder),
        json.dumps(pipeline.settings),
        pipeline.spec.name,
        pipeline.explain("A dog ran.", "A cat sat.").model,
        json.dumps(settings_of(pipeline)),
        json.dumps(evaluated_model(pipeline).describe()),
        caplog.text,
    ]
    assert all(map(clean, shown)), shown
    assert "api-version=3" in pipeline.spec.name
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or clean(path.read_bytes().decode("latin-1")), path
    assert maker_of(pipeline)().arguments == pipeline.arguments
    data = tmp_path / "sts.csv"
    data.write_text("s1,s2,gold\nA dog ran.,A cat sat.,1\nA cat sat.,A dog ran.,0\n")
    card = evaluate("sts", pipeline, data, resamples=0)
    assert clean(card.to_json() + card.fingerprint())


def test_credentials_are_not_in_a_manifest(address: str, tmp_path: Path) -> None:
    pairs = tmp_path / "in.csv"
    pairs.write_text("s1,s2\nA dog ran.,A cat sat.\nx,\n")
    with pytest.raises(InputError):
        score_file(Pipeline(f"api:{address},model=m"), pairs, tmp_path / "o.csv", chunk_size=1)
    manifest = tmp_path / "o.csv.hybridsem" / "manifest.json"
    assert "api:http://…@" in json.loads(manifest.read_text())["model"]["model"]
    assert clean(manifest.read_text())


def test_the_command_line_prints_none(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = f"api:{address},model=m"
    assert main(["similarity", "-m", model, "A dog ran.", "A cat sat.", "--json"]) == 0
    assert main(["explain", "-m", model, "A dog ran.", "A cat sat."]) == 0
    assert main(["similarity", "-m", "hybrid", "--encoder", f"apy:{address}", "a", "b"]) == 1
    assert main(["parse", "--parser", f"semparse:{address}", "a"]) in (0, 1)
    printed = capsys.readouterr()
    assert clean(printed.out + printed.err)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no address", "no address"),
        ("mail me@host", "mail me@host"),
        ("http://host/a?email=me@host", "http://host/a?email=me@host"),
        ("https://u:p@h/x", "https://…@h/x"),
        ("https://u:p@ss@h/x", "https://…@h/x"),
        ("socks5://u@h", "socks5://…@h"),
        ("http://h/?a_token=a&page=2&Signature=b", "http://h/?a_token=…&page=2&Signature=…"),
        ("api:http://h/v1?key=a,model=m", "api:http://h/v1?key=…,model=m"),
        ("a?b=c", "a?b=c"),
    ],
)
def test_what_is_redacted(text: str, expected: str) -> None:
    assert redacted(text) == expected
    assert str(HybridSemError(text)) == expected
    assert str(FormatError(text, "f", 1)) == f"f, line 1: {expected}"


def test_values_of_variables_that_are_called_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MADE_UP_TOKEN", "a+b/c=12345")
    monkeypatch.setenv("SHORT_KEY", "the")
    text = "the a+b/c=12345, or a%2Bb%2Fc%3D12345"
    assert str(InputError(text)) == "the …, or …"


def test_every_error_of_the_tree_is_redacted() -> None:
    makers: dict[str, Any] = {
        "MissingExtraError": lambda text: errors.MissingExtraError(text, "api"),
        "UnknownNameError": lambda text: errors.UnknownNameError("model", text, [text]),
    }
    for name in errors.__all__:
        kind = getattr(errors, name)
        if isinstance(kind, type):
            error = makers.get(name, kind)("http://u:p@h")
            assert re.search(r"http://…@h", str(error)), name
            assert "u:p" not in f"{error!r}{error.args}"


def test_a_message_is_no_longer_than_a_page() -> None:
    text = str(InputError("begins " + "x" * 10_000_000 + " ends"))
    assert len(text) < errors.LONGEST + 100
    assert text.startswith("begins ")
    assert text.endswith(" ends")
