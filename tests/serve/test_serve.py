"""The server: its answers are the library's, its errors say what to do, its page is safe."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import jsonschema
import pytest
import uvicorn
from support.browser import UNTIDY, Browser
from support.commands import ROOT
from support.hostile import check_page, sets
from support.parsers import FailsOnRain

from hybridsem import Explanation, Pipeline
from hybridsem.cli import cli, main
from hybridsem.search import Index
from hybridsem.serve import Limits, application

TEXTS = ["The bank sued the newspaper.", "It rains.", "The newspaper sued the bank.", "It pours."]
PAIRS = [(first, second) for first in TEXTS for second in TEXTS]
PAIR = ["a", "b"]
JSON = {"content-type": "application/json"}
SMALL = Limits(max_bytes=3000, max_texts=8, max_characters=40)


@contextmanager
def serving(*arguments: Any) -> Iterator[int]:
    """The port of a server, whose application has the arguments."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        app = application(*arguments)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, ws="none"))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def ask(
    port: int, path: str, body: object = None, method: str = "", headers: Any = None
) -> tuple[int, Any]:
    """The status and the content of an answer; JSON is read."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    method = method or ("GET" if body is None else "POST")
    sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    connection.request(method, path, sent, JSON | (headers or {}))
    with connection.getresponse() as answer:
        text, kind = answer.read().decode(), answer.headers["content-type"]
    connection.close()
    return answer.status, json.loads(text) if kind == "application/json" else text


@pytest.fixture(scope="module")
def index(nlp: Pipeline, tmp_path_factory: pytest.TempPathFactory) -> Index:
    return Index.build(TEXTS, tmp_path_factory.mktemp("serve") / "index", nlp)


@pytest.fixture(scope="module")
def port(nlp: Pipeline, index: Index) -> Iterator[int]:
    with serving(nlp, index) as port:
        yield port


@pytest.fixture(scope="module")
def small(nlp: Pipeline) -> Iterator[int]:
    """A server with low limits, without an index, that knows its host."""
    with serving(nlp, None, SMALL, ["127.0.0.1"]) as port:
        yield port


def test_answers_are_those_of_the_library(port: int, nlp: Pipeline, index: Index) -> None:
    def results(path: str, **asked: Any) -> Any:
        status, answer = ask(port, path, asked)
        assert status == 200, answer
        assert answer["model"] == "hybrid"
        return answer["results"]

    found = nlp.explain(PAIRS, words=False)
    notes: list[str] = []
    assert results("/similarity", pairs=PAIRS) == [
        {"score": score, "notes": notes} for score in nlp.score(PAIRS).tolist()
    ]
    assert results("/explain", pairs=PAIRS) == json.loads(json.dumps([f.to_dict() for f in found]))
    assert results("/judge", pairs=PAIRS, precision=0) == [
        found.to_dict() for found in nlp.judge(PAIRS, precision=0)
    ]
    query = "The newspaper was sued by the bank."
    assert results("/rank", query=query, documents=[*TEXTS, *TEXTS], top_k=7) == [
        {"document": one["corpus_id"], "score": one["score"], "notes": notes}
        for one in nlp.rank(query, [*TEXTS, *TEXTS], top_k=7)
    ]
    for by in ("meaning", "roles"):
        hits = [hit.to_dict() for hit in index.search(query, 2, by=by)]
        assert results("/search", query=query, top_k=2, by=by) == json.loads(json.dumps(hits))


def test_the_document_describes_the_answers(port: int) -> None:
    status, document = ask(port, "/openapi.json")
    assert status == 200
    components = document["components"]

    def check(schema: dict[str, Any], content: Any) -> None:
        jsonschema.validate(content, {**schema, "components": components})

    for path, methods in document["paths"].items():
        for method, about in methods.items():
            asked: list[Any] = [None]
            if method == "post":
                (name,) = re.findall(r"\w+$", in_json(about["requestBody"])["$ref"])
                asked = components["schemas"][name]["examples"]
            for body in asked:
                status, answer = ask(port, path, body, method.upper())
                assert status == 200, answer
                check(in_json(about["responses"]["200"]), answer)
            if method == "post":
                status, answer = ask(port, path, {})
                assert status == 422
                check(in_json(components["responses"]["Error"]), answer)
    paths = {route.path for route in application(Pipeline("jaccard")).routes}
    assert paths == {*document["paths"], "/", "/openapi.json"}


def in_json(about: dict[str, Any]) -> Any:
    return about["content"]["application/json"]["schema"]


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "message"),
    [
        ("/similarity", b"", {}, 400, "the body is not JSON"),
        ("/similarity", b'{"pairs": [["a", "b"]', {}, 400, "the body is not JSON"),
        ("/similarity", b"\xff\xfe\xfa", {}, 400, "the body is not JSON"),
        ("/similarity", b"[" * 2900, {}, 400, "the body is not JSON"),
        ("/similarity", b'{"pairs": NaN}', {}, 400, "NaN is not a JSON number"),
        ("/similarity", b" " * 3001, {}, 413, "over 3,000 bytes; divide the request"),
        ("/similarity", [], {}, 422, "the request: expected object"),
        ("/similarity", {}, {}, 422, "'pairs' is a required property"),
        ("/similarity", {"pairs": []}, {}, 422, "pairs: expected at least one item"),
        ("/similarity", {"pairs": [PAIR] * 5}, {}, 422, "pairs: expected at most 4 items; divide"),
        ("/similarity", {"pairs": [["a"]]}, {}, 422, "pairs[0]: expected at least 2 items"),
        ("/similarity", {"pairs": [PAIR * 2]}, {}, 422, "pairs[0]: expected at most 2 items"),
        ("/similarity", {"pairs": [["a", 1]]}, {}, 422, "pairs[0][1]: expected string"),
        ("/similarity", {"pairs": [["a", " "]]}, {}, 422, "pairs[0][1]: the text is empty"),
        ("/similarity", {"pairs": [["a", "\0"]]}, {}, 422, "pairs[0][1]: the text is empty"),
        ("/similarity", {"pairs": [["a", "b\ud800"]]}, {}, 422, "character 1 is a lone surrogate"),
        ("/similarity", {"pairs": [["a", "b" * 41]]}, {}, 422, "expected at most 40 characters"),
        ("/similarity", {"pairs": [PAIR], "{0}\ud800": 1}, {}, 422, "unknown '{0}\\ud800'; use"),
        ("/similarity", {"pairs": [PAIR], "x" * 900: 1}, {}, 422, "unknown 'xxx"),
        ("/judge", {"pair": [PAIR]}, {}, 422, "unknown 'pair'; use `pairs`, `precision`"),
        ("/judge", {"pairs": [PAIR], "precision": 2}, {}, 422, "precision: expected at most 1"),
        ("/judge", {"pairs": [PAIR], "precision": True}, {}, 422, "precision: expected number"),
        ("/rank", {"query": "a", "documents": ["b"], "top_k": 0}, {}, 422, "at least 1"),
        ("/search", {"query": "a", "top_k": 10**30}, {}, 422, "top_k: expected at most 1000"),
        ("/search", {"query": "a", "by": "x"}, {}, 422, "expected one of ['meaning', 'roles']"),
        ("/search", {"query": "a"}, {}, 404, "start it with --index DIR"),
        ("/rank", {}, {"content-type": "text/plain"}, 415, "content-type: application/json"),
        ("/rank", None, {}, 405, "/openapi.json describes"),
        ("/none", None, {}, 404, "/openapi.json describes"),
        ("/health", None, {"host": "example.com"}, 421, "unknown host; use one of: 127.0.0.1"),
    ],
)
def test_errors_name_what_to_change(
    small: int, path: str, body: object, headers: dict[str, str], status: int, message: str
) -> None:
    found, answer = ask(small, path, body, headers=headers)
    assert (found, list(answer)) == (status, ["error"])
    assert message in answer["error"]
    assert len(answer["error"]) < 300


@pytest.mark.slow
def test_hostile_texts_are_answered(port: int) -> None:
    for text in sets(7):
        pair = [text, "A dog barked."]
        status, answer = ask(port, "/explain", {"pairs": [pair]})
        assert status in (200, 422), answer
        valid = [one.encode("utf-8", "replace").decode()[:2000] for one in pair]
        status, page = ask(port, "/?" + urlencode({"sentence1": valid[0], "sentence2": valid[1]}))
        assert status in (200, 422), page
        check_page(page)


def test_many_clients_get_what_one_gets(port: int) -> None:
    odd = [{"pairs": [["a", "\ud800"]]}, {"pairs": []}, b"{"]
    asked: list[Any] = [{"pairs": [pair, pair[::-1]]} for pair in PAIRS]
    asked = [each for one in zip(asked, odd * 6, strict=False) for each in one]
    with ThreadPoolExecutor(len(asked)) as clients:
        together = list(clients.map(lambda body: ask(port, "/explain", body), asked))
    assert together == [ask(port, "/explain", body) for body in asked]
    assert {status for status, _ in together} == {200, 400, 422}


def test_a_pair_without_a_structure_is_named() -> None:
    with serving(Pipeline("verbnet-cn", parser=FailsOnRain())) as port:
        bodies = [{"pairs": [("A dog barked.", text)] * 2} for text in TEXTS]
        with ThreadPoolExecutor(len(bodies)) as clients:
            found = list(clients.map(lambda body: ask(port, "/similarity", body), bodies))
        assert [status for status, _ in found] == [200, 422, 200, 200]
        assert found[1][1] == {"error": "pair 0: no parse of 'It rains.': it rains"}


class Slow(Pipeline):
    """A pipeline that explains nothing before it may."""

    def __init__(self) -> None:
        super().__init__("jaccard")
        self.calls: list[Any] = []
        self.begun, self.release = threading.Event(), threading.Event()

    def explain(self, pairs: Any, *_: Any, **how: Any) -> list[Explanation]:
        self.calls.append(pairs)
        self.begun.set()
        self.release.wait()
        if ("fail", "fail") in pairs:
            raise RuntimeError("a secret")
        return super().explain(pairs, **how)


BODY = {"pairs": [PAIR]}


def test_slow_requests_are_given_up() -> None:
    slow = Slow()
    with serving(slow, None, Limits(timeout=0.2)) as port:
        try:
            assert ask(port, "/similarity", BODY)[0] == 504
            assert slow.begun.wait(60)
            status, page = ask(port, "/?sentence1=a&sentence2=b")
            assert status == 504
            assert 'role="alert">no answer in time; send fewer or shorter' in page
        finally:
            slow.release.set()


def test_a_full_queue_and_clients_that_go() -> None:
    slow = Slow()
    with serving(slow, None, Limits(max_waiting=1)) as port, ThreadPoolExecutor(2) as clients:
        try:
            first = clients.submit(ask, port, "/similarity", BODY)
            assert slow.begun.wait(60)
            gone = http.client.HTTPConnection("127.0.0.1", port)
            gone.request("POST", "/similarity", json.dumps({"pairs": [["c", "d"]]}), JSON)
            while ask(port, "/health")[1]["waiting"] < 1:
                pass
            refused = {"error": "too many requests wait; try again in a second"}
            assert ask(port, "/similarity", BODY) == (503, refused)
            gone.close()
            ask(port, "/health")  # the server sees that before this
        finally:
            slow.release.set()
        assert first.result()[0] == 200
        while ask(port, "/health")[1]["waiting"]:
            pass
        assert ask(port, "/similarity", BODY)[0] == 200
        assert slow.calls == [[("a", "b")], [("a", "b")]]


def test_a_fault_is_of_one_request_and_told_to_the_log_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    slow = Slow()
    slow.release.set()
    with serving(slow) as port:
        status, answer = ask(port, "/similarity", {"pairs": [["fail", "fail"]]})
        assert (status, answer) == (
            500,
            {"error": "a fault of the server; its log has the details"},
        )
        assert ask(port, "/similarity", BODY)[0] == 200
    assert "a secret" in caplog.text


def test_the_page_has_errors_and_policies(small: int) -> None:
    status, page = ask(small, "/?sentence1=a&sentence2=")
    assert status == 422
    assert 'role="alert">Sentence 2: the text is empty' in page
    connection = http.client.HTTPConnection("127.0.0.1", small)
    connection.request("GET", "/")
    with connection.getresponse() as answer:
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; ")
        assert b"alert" not in answer.read()
    connection.close()


def test_the_page_in_a_browser(port: int, window: Browser) -> None:
    window.open(f"http://127.0.0.1:{port}/", width=390)
    window.run(
        "['The dog chased the cat.', 'The cat chased the <dog>.'].forEach((text, place) => {"
        "document.querySelectorAll('textarea')[place].value = text; })"
    )
    window.click("button")
    window.wait_for("document.querySelector('.hs-score') !== null")
    assert window.run(UNTIDY) == []
    assert window.run("document.querySelector('svg.hs-diagram') !== null")
    assert "who chased whom" in window.run("document.querySelector('.hs-summary').textContent")
    assert window.run("document.querySelector('#sentence2').value").endswith("the <dog>.")
    assert not window.errors
    assert all(url.startswith(("data:", f"http://127.0.0.1:{port}/")) for url in window.requests)


@pytest.mark.slow
def test_the_command_serves_until_it_is_interrupted(index: Index) -> None:
    command = [sys.executable, "-m", "hybridsem", "serve", "--port", "0", "--index", index.path]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        try:
            found = re.fullmatch(
                r"the model hybrid is at http://127\.0\.0\.1:(\d+)\n", process.stderr.readline()
            )
            status, answer = ask(int(found[1]), "/health")
            assert (status, answer["index"]) == (200, len(TEXTS))
            process.send_signal(signal.SIGINT)
            assert process.stderr.read() == "hybridsem: interrupted\n"
            assert process.wait() == 130
        finally:
            process.kill()


def test_what_cannot_be_served(
    index: Index, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 1
    assert "cannot listen on '127.0.0.1'" in capsys.readouterr().err
    assert main(["serve", "--port", "0", "-m", "embedded", "--index", index.path]) == 1
    assert "was made by another model" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    assert main(["serve", "--port", "0"]) == 1
    assert "pip install 'hybridsem[serve]'" in capsys.readouterr().err


def test_the_image_copies_what_there_is_and_starts_the_command() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = [name for line in lines if line.startswith("COPY") for name in line.split()[1:-1]]
    assert len(copied) > 5
    assert all((ROOT / name).exists() for name in copied)
    (start,) = (line.removeprefix("ENTRYPOINT ") for line in lines if line.startswith("ENTRYPOINT"))
    program, name, *options = json.loads(start)
    assert (program, name) == ("hybridsem", "serve")
    with cli.commands[name].make_context(name, options) as context:
        assert (context.params["host"], context.params["port"]) == ("0.0.0.0", 8000)
