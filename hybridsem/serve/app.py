"""The server: requests, and answers of a pipeline and an index, as JSON and on a page."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybridsem import __version__
from hybridsem._utils.extras import extra
from hybridsem._utils.validation import problem
from hybridsem.errors import FormatError, InputError, ParseError, ServiceError
from hybridsem.render import as_section
from hybridsem.render.template_files import fill, page, style, text_of
from hybridsem.serve.batching import Batcher

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from hybridsem.explanations import Explanation
    from hybridsem.pipeline import Pipeline
    from hybridsem.search import Index

SENTENCES = ("sentence1", "sentence2")
HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
# The status of each error, subclasses first, and its message if it has none. 499 is nginx's.
STATUS: dict[type[Exception], tuple[int, str]] = {
    FormatError: (400, ""),
    InputError: (422, ""),
    ParseError: (422, ""),
    ServiceError: (502, ""),
    ConnectionAbortedError: (499, "the client has gone"),
    asyncio.QueueFull: (503, "too many requests wait; try again in a second"),
    TimeoutError: (504, "no answer in time; send fewer or shorter texts, or try again"),
    Exception: (500, "a fault of the server; its log has the details"),
}

Answer = Callable[["Request"], Awaitable["Response"]]
Pairs = Iterable[Sequence[str]]
SHOWN = 200  # the most characters of a request that a message quotes
# The messages of the keywords of JSON schemas; the others' own messages are clear.
REASONS = {
    "type": "expected {}",
    "minItems": "expected at least {} items",
    "maxItems": "expected at most {} items; divide the request",
    "maxLength": "expected at most {} characters; divide the text",
    "minimum": "expected at least {}",
    "maximum": "expected at most {}",
    "enum": "expected one of {}",
}
Record = dict[str, Any]  # an object of JSON


@dataclass(frozen=True)
class Limits:
    """The size and time of requests.

    Attributes:
        max_bytes: Of a request's body.
        max_texts: Texts in a request.
        max_characters: Characters of a text.
        max_waiting: Requests that wait to be computed.
        timeout: Seconds until a request is given up.
    """

    max_bytes: int = 1_000_000
    max_texts: int = 256
    max_characters: int = 2_000
    max_waiting: int = 256
    timeout: float = 30.0


class Requests:
    """The requests that a server accepts: those of ``document``, in OpenAPI's format."""

    def __init__(self, limits: Limits) -> None:
        with extra("jsonschema", "serve"):
            from jsonschema import Draft202012Validator, FormatChecker

        text = Path(__file__).with_name("openapi.json").read_text(encoding="utf-8")
        self.document: Record = json.loads(text)
        self.document["info"]["version"] = __version__
        components = self.document["components"]
        # These keys are in the file, before the costly ones: the first fault ends a check.
        components["schemas"]["Text"]["maxLength"] = limits.max_characters
        components["schemas"]["Pairs"]["maxItems"] = limits.max_texts // 2
        components["schemas"]["Documents"]["maxItems"] = limits.max_texts - 1
        formats = FormatChecker(())
        formats.checks("sentence", raises=InputError)(_is_sentence)
        self._validators = {}
        for path, item in self.document["paths"].items():
            if "post" in item:
                body = item["post"]["requestBody"]["content"]["application/json"]["schema"]
                schema = {**body, "components": components}
                self._validators[path] = Draft202012Validator(schema, format_checker=formats)

    def read(self, path: str, body: bytes) -> Record:
        """Return the request in a body; raise if it is not JSON or not as described."""
        try:
            request: Record = json.loads(body, parse_constant=_no_constant)
            self.check(path, request)
        except (ValueError, RecursionError) as error:
            if isinstance(error, InputError):
                raise
            raise FormatError(f"the body is not JSON: {error!s:.{SHOWN}}") from None
        return request

    def check(self, path: str, request: object) -> None:
        """Raise :class:`InputError` for a request that is not as the document describes."""
        error = next(self._validators[path].iter_errors(request), None)
        if error is None:
            return
        where = error.json_path.removeprefix("$").removeprefix(".") or "the request"
        reason = str(error.cause or error.message)
        if error.validator in REASONS:
            reason = REASONS[error.validator].format(error.validator_value)
            reason = reason.replace("at least 1 items", "at least one item")
        elif error.validator == "additionalProperties":
            known = error.schema["properties"]
            unknown = next(name for name in error.instance if name not in known)
            use = ", ".join(f"`{name}`" for name in known)
            reason = f"unknown {unknown[: SHOWN // 2]!r}; use {use}"
        raise InputError(f"{where}: {reason:.{SHOWN}}")


def _is_sentence(text: object) -> bool:
    if isinstance(text, str) and (reason := problem(text)) is not None:
        raise InputError(reason)
    return True


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


class _Refusal(Exception):
    """A refused request, with the attributes of Starlette's ``HTTPException``."""

    def __init__(self, status_code: int, detail: str) -> None:
        self.status_code, self.detail = status_code, detail


class _Service:
    """The answers to requests; arguments as for :func:`application`."""

    def __init__(
        self, pipeline: Pipeline, index: Index | None, limits: Limits, hosts: Sequence[str]
    ) -> None:
        self.pipeline, self.index, self.limits, self.hosts = pipeline, index, limits, hosts
        self.requests = Requests(limits)
        self.batcher = Batcher(limits.max_waiting)
        self.answers = {
            "/similarity": self.similarity,
            "/explain": self.explain,
            "/judge": self.judge,
            "/rank": self.rank,
            "/search": self.search,
        }

    async def _compared(
        self,
        request: Request,
        pairs: Pairs,
        method: Callable[..., Sequence[Any]],
        what: str = "pair",
        **how: object,
    ) -> list[Any]:
        """Return a result for each pair; :class:`ParseError` for one without a score."""
        items = [(first, second) for first, second in pairs]
        results = await self.batcher.results(request.is_disconnected, items, method, **how)
        for number, result in enumerate(results):
            if math.isnan(result.score):
                raise ParseError("; ".join(result.notes) or "no score", f"{what} {number}: ")
        return results

    async def _explained(
        self, request: Request, pairs: Pairs, what: str = "pair", words: bool = False
    ) -> list[Explanation]:
        return await self._compared(request, pairs, self.pipeline.explain, what, words=words)

    async def similarity(self, request: Request, asked: Record) -> list[Record]:
        return [_score(found) for found in await self._explained(request, asked["pairs"])]

    async def explain(self, request: Request, asked: Record) -> list[Record]:
        return [found.to_dict() for found in await self._explained(request, asked["pairs"])]

    async def judge(self, request: Request, asked: Record) -> list[Record]:
        how: Record = {"precision": float(asked.get("precision", 0.8))}
        how["assume"] = str(asked.get("assume", "situation"))
        found = await self._compared(request, asked["pairs"], self.pipeline.judge, **how)
        return [judgement.to_dict() for judgement in found]

    async def rank(self, request: Request, asked: Record) -> list[Record]:
        """Rank like :meth:`Pipeline.rank`, by pairs that share batches with those of others."""
        pairs = [(asked["query"], document) for document in asked["documents"]]
        found = await self._explained(request, pairs, "document")
        rows = [{"document": number, **_score(one)} for number, one in enumerate(found)]
        rows.sort(key=lambda row: -row["score"])
        return rows[: int(asked.get("top_k", len(rows)))]

    async def search(self, request: Request, asked: Record) -> list[Record]:
        if self.index is None:
            raise _Refusal(404, "this server has no index; start it with --index DIR")
        how = {"top_k": int(asked.get("top_k", 10)), "by": asked.get("by", "meaning")}
        search: Callable[..., Sequence[Any]] = self.index.search
        queries, has_gone = [asked["query"]], request.is_disconnected
        (hits,) = await self.batcher.results(has_gone, queries, search, **how)
        return [hit.to_dict() for hit in hits]

    def guarded(self, answer: Answer) -> Answer:
        """Return an endpoint that refuses unknown hosts, and ends in time."""

        async def endpoint(request: Request) -> Response:
            # A page of another site may have its own name lead to this machine.
            if self.hosts and request.url.hostname not in self.hosts:
                raise _Refusal(421, f"unknown host; use one of: {', '.join(self.hosts)}")
            async with asyncio.timeout(self.limits.timeout):
                return await answer(request)

        return endpoint

    async def post(self, request: Request) -> Response:
        # A page of another site can send other types without asking the browser.
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise _Refusal(415, "send the header content-type: application/json")
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > (most := self.limits.max_bytes):
                raise _Refusal(413, f"the body has over {most:,} bytes; divide the request")
        path = request.url.path
        asked = self.requests.read(path, bytes(body))
        results = await self.answers[path](request, asked)
        return _json({"model": self.pipeline.spec.name, "results": results})

    async def document(self, _: Request) -> Response:
        return _json(self.requests.document)

    async def health(self, _: Request) -> Response:
        index = None if self.index is None else len(self.index)
        about = {"status": "ok", "version": __version__, "model": self.pipeline.spec.name}
        return _json({**about, "index": index, "waiting": len(self.batcher.waiting)})

    async def page(self, request: Request) -> Response:
        texts = _sentences(request)
        if not any(texts):
            return self._page(request)
        self.requests.check("/explain", {"pairs": [texts]})
        (found,) = await self._explained(request, [texts], words=True)
        return self._page(request, f'<div class="hs-card">{as_section(found)}</div>')

    def _page(self, request: Request, result: str = "", status: int = 200) -> Response:
        from starlette.responses import HTMLResponse

        texts = dict(zip(SENTENCES, map(escape, _sentences(request)), strict=True))
        most = self.limits.max_characters
        content = fill("try_pair.html", most=most, result=result, **texts)
        policies = {"content-security-policy": POLICY, "referrer-policy": "no-referrer"}
        icon = '<link rel="icon" href="data:,">\n'
        shown = style() + text_of("try_pair.css")
        whole = page("hybridsem: compare two sentences", content, shown, head=icon)
        return HTMLResponse(whole, status, HEADERS | policies)

    async def failed(self, request: Request, error: Exception) -> Response:
        """Return the message of an error, as a page where a page was asked for."""
        status, message = next(STATUS[kind] for kind in STATUS if isinstance(error, kind))
        status, message = getattr(error, "status_code", status), message or str(error)
        if detail := getattr(error, "detail", ""):
            message = f"{detail}; /openapi.json describes the requests"
        if request.url.path == "/":
            for number in (1, 2):
                message = message.replace(f"pairs[0][{number - 1}]", f"Sentence {number}")
            alert = f'<p class="hs-card hs-error" role="alert">{escape(message)}</p>'
            return self._page(request, alert, status)
        return _json({"error": message}, status)


def _score(found: Explanation) -> Record:
    return {"score": found.score, "notes": list(found.notes)}


def _sentences(request: Request) -> list[str]:
    return [request.query_params.get(name, "") for name in SENTENCES]


def _json(content: Record, status: int = 200) -> Response:
    from starlette.responses import Response

    # A lone surrogate of a request becomes its escape, which JSON has too.
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    body = text.encode("utf-8", "backslashreplace")
    return Response(body, status, HEADERS, "application/json")


def application(
    pipeline: Pipeline,
    index: Index | None = None,
    limits: Limits = Limits(),
    hosts: Sequence[str] = (),
) -> Starlette:
    """Return an ASGI application.

    Args:
        pipeline: Compares sentences.
        index: Is searched; made by such a pipeline.
        limits: The size and time of requests.
        hosts: The names by which clients may address the server; none allows all.
    """
    with extra("starlette", "serve"):
        from starlette.applications import Starlette
        from starlette.exceptions import HTTPException
        from starlette.requests import ClientDisconnect
        from starlette.routing import Route

    service = _Service(pipeline, index, limits, hosts)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        batches = asyncio.create_task(service.batcher.run())
        yield
        batches.cancel()
        with suppress(asyncio.CancelledError):
            await batches

    pages = {"/": service.page, "/health": service.health, "/openapi.json": service.document}
    gets = [Route(path, service.guarded(answer)) for path, answer in pages.items()]
    post = service.guarded(service.post)
    posts = [Route(path, post, methods=["POST"]) for path in service.answers]
    errors = (*STATUS, _Refusal, HTTPException, ClientDisconnect)
    handlers: Any = dict.fromkeys(errors, service.failed)
    return Starlette(routes=[*gets, *posts], exception_handlers=handlers, lifespan=lifespan)
