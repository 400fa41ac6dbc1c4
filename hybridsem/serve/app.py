"""The server: answers of a pipeline and an index, as JSON and on a page."""

from __future__ import annotations

import asyncio
import json
import math
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from html import escape
from importlib.resources import files
from ipaddress import ip_address
from string import Template
from typing import TYPE_CHECKING, Any

from hybridsem import __version__
from hybridsem._utils.extras import extra
from hybridsem.errors import FormatError, HybridSemError, InputError, ParseError, ServiceError
from hybridsem.serve.batching import Batcher, Item, Key
from hybridsem.serve.requests import Limits, Requests

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from hybridsem.explanations import Explanation
    from hybridsem.judge import Judgement
    from hybridsem.pipeline import Pipeline
    from hybridsem.search import Index
    from hybridsem.search.index import Hit

__all__ = ["application", "run"]

HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
}
STATUS: dict[type[Exception], int] = {
    FormatError: 400,
    InputError: 422,
    ParseError: 422,
    ServiceError: 502,
    HybridSemError: 500,
    ConnectionAbortedError: 499,
    asyncio.QueueFull: 503,
    TimeoutError: 504,
    Exception: 500,
}
"""The status of each error, subclasses first; 499 is nginx's, of a client that has gone."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")

Answer = Callable[["Request"], Awaitable["Response"]]


class _Service:
    """The answers to requests.

    Args:
        pipeline: Compares sentences.
        index: Is searched.
        limits: The size and time of requests.
        hosts: The names by which clients may address the server; none allows all.
    """

    def __init__(
        self, pipeline: Pipeline, index: Index | None, limits: Limits, hosts: Sequence[str]
    ) -> None:
        self.pipeline, self.index, self.limits, self.hosts = pipeline, index, limits, hosts
        self.model = pipeline.spec.name
        self.requests = Requests(limits)
        self.batcher = Batcher(limits.max_waiting)
        self.answers = {
            "/similarity": self.similarity,
            "/explain": self.explain,
            "/judge": self.judge,
            "/rank": self.rank,
            "/search": self.search,
        }

    # -- what a batch computes

    def _explain(self, pairs: list[tuple[str, str]], words: bool) -> list[Explanation]:
        return self.pipeline.explain(pairs, words=words)

    def _judge(self, pairs: list[tuple[str, str]], precision: float) -> list[Judgement]:
        return self.pipeline.judge(pairs, precision=precision)

    def _search(self, queries: list[str], top_k: int, by: str) -> list[list[Hit]]:
        assert self.index is not None
        return self.index.search(queries, top_k, by=by)

    async def _scored(
        self, request: Request, key: Key, pairs: Iterable[Sequence[str]], name: str = "pair"
    ) -> list[Any]:
        """Return the result of each pair; raise :class:`ParseError` for one without a score."""
        items: list[Item] = [(first, second) for first, second in pairs]
        found = await self.batcher.results(key, items, request.is_disconnected)
        for number, result in enumerate(found):
            if math.isnan(result.score):
                raise ParseError("; ".join(result.notes) or "no score", f"{name} {number}: ")
        return found

    # -- what requests ask

    async def similarity(self, request: Request, asked: dict[str, Any]) -> list[dict[str, Any]]:
        found = await self._scored(request, (self._explain, (False,)), asked["pairs"])
        return [{"score": one.score, "notes": list(one.notes)} for one in found]

    async def explain(self, request: Request, asked: dict[str, Any]) -> list[dict[str, Any]]:
        found = await self._scored(request, (self._explain, (False,)), asked["pairs"])
        return [one.to_dict() for one in found]

    async def judge(self, request: Request, asked: dict[str, Any]) -> list[dict[str, Any]]:
        key = self._judge, (float(asked.get("precision", 0.8)),)
        return [one.to_dict() for one in await self._scored(request, key, asked["pairs"])]

    async def rank(self, request: Request, asked: dict[str, Any]) -> list[dict[str, Any]]:
        """Rank as :meth:`Pipeline.rank` does, in batches that others share."""
        pairs = [(asked["query"], document) for document in asked["documents"]]
        found = await self._scored(request, (self._explain, (False,)), pairs, "document")
        best = sorted(range(len(found)), key=lambda place: -found[place].score)
        return [
            {"document": place, "score": found[place].score, "notes": list(found[place].notes)}
            for place in best[: asked.get("top_k")]
        ]

    async def search(self, request: Request, asked: dict[str, Any]) -> list[dict[str, Any]]:
        from starlette.exceptions import HTTPException

        if self.index is None:
            raise HTTPException(404, "this server has no index; start it with --index DIR")
        key = self._search, (int(asked.get("top_k", 10)), asked.get("by", "meaning"))
        (hits,) = await self.batcher.results(key, [asked["query"]], request.is_disconnected)
        return [hit.to_dict() for hit in hits]

    # -- HTTP

    def guarded(self, answer: Answer) -> Answer:
        """Return an endpoint that knows the host, and ends in time."""

        async def endpoint(request: Request) -> Response:
            from starlette.exceptions import HTTPException

            if self.hosts and request.url.hostname not in self.hosts:
                raise HTTPException(421, f"address this server as {' or '.join(self.hosts)}")
            async with asyncio.timeout(self.limits.timeout):
                return await answer(request)

        return endpoint

    async def post(self, request: Request) -> Response:
        """Answer a request in JSON."""
        path = request.url.path
        asked = self.requests.read(path, await self._body(request))
        results = await self.answers[path](request, asked)
        return _json({"model": self.model, "results": results})

    async def _body(self, request: Request) -> bytes:
        from starlette.exceptions import HTTPException

        # A page of another site can send other types without asking the browser.
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise HTTPException(415, "send the header content-type: application/json")
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > self.limits.max_bytes:
                most = f"at most {self.limits.max_bytes:,} bytes"
                raise HTTPException(413, f"the body is too large: {most}; divide the request")
        return bytes(body)

    async def health(self, request: Request) -> Response:
        """Describe the server."""
        size = None if self.index is None else len(self.index)
        about = {"status": "ok", "version": __version__, "model": self.model}
        return _json({**about, "index": size, "waiting": self.batcher.waiting})

    async def document(self, request: Request) -> Response:
        """Return the OpenAPI document."""
        return _json(self.requests.document)

    async def page(self, request: Request) -> Response:
        """Show two sentences and their explanation."""
        from hybridsem.render import as_section

        texts = _sentences(request)
        if not any(texts):
            return self._page(request, "")
        self.requests.check("/explain", {"pairs": [texts]})
        (found,) = await self._scored(request, (self._explain, (True,)), [texts])
        return self._page(request, f'<div class="hs-card">{as_section(found)}</div>')

    def _page(self, request: Request, result: str, status: int = 200) -> Response:
        from starlette.responses import HTMLResponse

        from hybridsem.render.template_files import style

        template = files("hybridsem.serve").joinpath("page.html").read_text(encoding="utf-8")
        sentence1, sentence2 = map(escape, _sentences(request))
        content = Template(template).substitute(
            style=style(),
            most=self.limits.max_characters,
            sentence1=sentence1,
            sentence2=sentence2,
            result=result,
        )
        return HTMLResponse(content, status, HEADERS | PAGE_HEADERS)

    async def failed(self, request: Request, error: Exception) -> Response:
        """Return the message of an error."""
        given = getattr(error, "status_code", None)  # of an HTTPException
        status = given or next(number for kind, number in STATUS.items() if isinstance(error, kind))
        message = str(error)
        if given is not None:
            message = f"{getattr(error, 'detail', '')}; /openapi.json describes the requests"
        elif isinstance(error, asyncio.QueueFull):
            message = "too many requests wait; try again in a second"
        elif isinstance(error, TimeoutError):
            message = f"no answer within {self.limits.timeout:g} seconds; send fewer, shorter texts"
        elif not isinstance(error, HybridSemError):
            message = "a fault of the server; its log has the details"
        if request.url.path == "/":
            alert = f'<p class="hs-card hs-error" role="alert">{escape(message)}</p>'
            return self._page(request, alert, status)
        return _json({"error": message}, status, {"retry-after": "1"} if status == 503 else {})


def _sentences(request: Request) -> list[str]:
    return [request.query_params.get(name, "") for name in ("sentence1", "sentence2")]


def _json(content: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    from starlette.responses import Response

    # A lone surrogate of a request becomes its escape, which JSON has too.
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    body = text.encode("utf-8", "backslashreplace")
    return Response(body, status, HEADERS | (headers or {}), "application/json")


def application(
    pipeline: Pipeline,
    index: Index | None = None,
    limits: Limits | None = None,
    hosts: Sequence[str] = (),
) -> Starlette:
    """Return an ASGI application.

    Args:
        pipeline: Compares sentences.
        index: Is searched; made by such a pipeline.
        limits: The size and time of requests.
        hosts: The names by which clients may address the server; none allows all.

    >>> from hybridsem import Pipeline
    >>> [route.path for route in application(Pipeline()).routes][:3]
    ['/', '/health', '/openapi.json']
    """
    with extra("starlette", "serve"):
        from starlette.applications import Starlette
        from starlette.exceptions import HTTPException
        from starlette.requests import ClientDisconnect
        from starlette.routing import Route

    service = _Service(pipeline, index, limits or Limits(), hosts)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        batches = asyncio.create_task(service.batcher.run())
        yield
        batches.cancel()
        with suppress(asyncio.CancelledError):
            await batches

    pages = {"/": service.page, "/health": service.health, "/openapi.json": service.document}
    return Starlette(
        routes=[
            *(Route(path, service.guarded(answer)) for path, answer in pages.items()),
            *(
                Route(path, service.guarded(service.post), methods=["POST"])
                for path in service.answers
            ),
        ],
        exception_handlers=dict.fromkeys(
            (*STATUS, HTTPException, ClientDisconnect), service.failed
        ),
        lifespan=lifespan,
    )


def run(
    pipeline: Pipeline,
    folder: str | None,
    host: str,
    port: int,
    limits: Limits,
    ready: Callable[[str], object],
) -> None:
    """Serve until a signal ends it.

    Args:
        pipeline: Compares sentences.
        folder: An index that such a pipeline made.
        host: The name or address to listen on.
        port: The port; 0 is a free one.
        limits: The size and time of requests.
        ready: Is called with the server's address once clients can connect.
    """
    with extra("uvicorn", "serve"):
        import uvicorn

    from hybridsem.search import Index

    index = None if folder is None else Index.open(folder, pipeline)
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address, family=family)
    except OSError as error:
        message = f"cannot listen on {host!r}, port {port}: {error.strerror}; choose others"
        raise InputError(f"{message} (--host, --port)") from None
    with listener:
        bound, number = listener.getsockname()[:2]
        hosts = (host, *LOOPBACK) if ip_address(bound).is_loopback else ()
        app = application(pipeline, index, limits, hosts)
        with suppress(InputError, ParseError):  # parts that know no other sentences than theirs
            pipeline.similarity("It rains.", "It rains.")
        if index is not None:
            index.search("It rains.", 1)  # raises for an index of another model
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=math.ceil(limits.timeout),
        )
        ready(f"http://{f'[{bound}]' if ':' in bound else bound}:{number}")
        uvicorn.Server(config).run(sockets=[listener])
