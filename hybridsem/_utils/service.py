"""Send requests to a network service, such as a chat model, and repeat them after temporary faults.

The key is never shown: it is removed from each answer before anything reads that.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Any

from hybridsem._utils.extras import extra
from hybridsem._utils.store import Store, key_of
from hybridsem._utils.terminal import visible
from hybridsem.errors import HIDDEN, InputError, ServiceError, redacted

if TYPE_CHECKING:
    import httpx

_LOG = logging.getLogger("hybridsem")

CHAT_KEY = "HYBRIDSEM_API_KEY"
BUSY = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""HTTP statuses after which a request is repeated."""

UNHEARD = 2  # the number of attempts if nobody answers, as with a wrong address

MAX_PAUSE = 60.0
MAX_ANSWER = 1 << 28  # the most bytes of an answer

OVERALL = 10  # the time limit of a whole answer, as a multiple of the time-out

_SAYS_TOO_LARGE = re.compile(r"token|too (long|large|many)|max(imum)? ", re.IGNORECASE)
_SPENT = "insufficient_quota"  # OpenAI's error, with status 429, when the account is empty


class TooLarge(Exception):
    """A request that may succeed in smaller parts; the message is the service's."""


class Unreachable(ServiceError):
    """Nobody answers at the address."""


@dataclass(frozen=True)
class Endpoint:
    """A service that answers POST or GET in JSON. ``name`` is for messages. ``key`` is the
    environment variable of the key, read for each request and sent as ``header``. ``timeout``
    (seconds) is for one request. A temporary fault is retried up to ``attempts`` times, after
    ``pause`` seconds, doubled each time, or as the service asks.
    """

    name: str
    url: str
    key: str
    header: tuple[str, str] = ("Authorization", "Bearer {key}")
    needs_key: bool = True
    timeout: float = 60.0
    attempts: int = 8
    pause: float = 1.0

    def client(self) -> httpx.Client:
        """Open a connection; raise :class:`MissingExtraError` without httpx."""
        with extra("httpx", "api"):
            import httpx
        secure = self.url.startswith("https:")  # reading certificates takes a while
        log = logging.getLogger("httpx")
        if _without_secrets not in log.filters:  # it logs addresses
            log.addFilter(_without_secrets)
        return httpx.Client(timeout=self.timeout, headers=self._headers(), verify=secure)

    def _headers(self) -> dict[str, str]:
        key = self._secret
        if not key:
            if not self.needs_key:
                return {}
            raise ServiceError(f"{self.name} needs a key; set the environment variable {self.key}")
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ServiceError(
                f"the environment variable {self.key} has characters that a key cannot have"
            )
        name, form = self.header
        return {name: form.format(key=key)}

    def post(self, client: httpx.Client, body: Mapping[str, object]) -> Any:
        """Return the JSON answer to a request, repeated after temporary faults. Raises
        :class:`TooLarge` if smaller parts may succeed, :class:`Unreachable` if nobody answers, else
        :class:`ServiceError`.
        """
        return self._request(client, "POST", json=dict(body))

    def get(self, client: httpx.Client, parameters: Mapping[str, str]) -> Any:
        """Send a GET request like :meth:`post`, with the parameters in the address."""
        return self._request(client, "GET", parameters)

    def answers(
        self,
        kind: str,
        keys: Mapping[str, bytes],
        ask: Callable[[httpx.Client, str], bytes | None],
        store: Store | None,
        offline: bool,
        workers: int = 1,
    ) -> dict[bytes, bytes]:
        """Return the answers to texts by their keys: stored ones, and those of ``ask``, if any,
        which are stored at once. Raises :class:`ServiceError` if one is missing ``offline``.
        """
        found = {} if store is None else store.get(kind, keys.values())
        missing = [text for text, key in keys.items() if key not in found]
        if missing and offline:
            raise ServiceError(
                f"HYBRIDSEM_OFFLINE is set and {len(missing)} {kind} of {self.name} are not on disk"
            )
        if missing:
            with self.client() as client, ThreadPoolExecutor(workers) as pool:
                given = (map if workers == 1 else pool.map)(partial(ask, client), missing)
                for done, (text, answer) in enumerate(zip(missing, given, strict=True), 1):
                    if answer is not None:
                        found[keys[text]] = answer
                        if store is not None:
                            store.put(kind, {keys[text]: answer})
                    _LOG.info("%s: %d of %d %s", self.name, done, len(missing), kind)
        return found

    def _sent(
        self,
        client: httpx.Client,
        method: str,
        parameters: Mapping[str, str] | None = None,
        **content: Any,
    ) -> tuple[httpx.Response, str]:
        """Return a response and its text; raise :class:`ServiceError` if that is too long."""
        import httpx

        parts, length, began = [], 0, monotonic()
        url = httpx.URL(self.url)
        if parameters is not None:
            url = url.copy_merge_params(dict(parameters))
        with client.stream(method, url, **content) as response:
            for part in response.iter_bytes():
                parts.append(part)
                length += len(part)
                if length > MAX_ANSWER:
                    most = f"more than {MAX_ANSWER >> 20} MiB"
                    raise ServiceError(f"{self.name} answered with {most}")
                if monotonic() - began > OVERALL * self.timeout:
                    raise httpx.ReadTimeout(f"not complete after {OVERALL * self.timeout:g} s")
        return response, b"".join(parts).decode(response.encoding or "utf-8", "replace")

    def _request(self, client: httpx.Client, *request: Any, **content: Any) -> Any:
        import httpx

        for attempt in range(1, self.attempts + 1):
            wait = min(self.pause * 2 ** (attempt - 1), MAX_PAUSE)
            try:
                response, text = self._sent(client, *request, **content)
            except httpx.InvalidURL as error:
                problem = f"{self.name} has no address, got {self.url!r}: {error}"
                raise Unreachable(problem) from None
            except httpx.HTTPError as error:
                problem = f"{type(error).__name__}: {self._without_key(str(error))}"
                if isinstance(error, httpx.ConnectError) and attempt == min(UNHEARD, self.attempts):
                    raise Unreachable(
                        f"{self.name} gave no answer in {attempt} attempts; the last: {problem}; "
                        "is it running, and is its address right?"
                    ) from None
            else:
                if response.status_code == 200:
                    return self._json(text)
                message = self._message(text)
                problem = f"{response.status_code} {message}"
                code, too_large = response.status_code, _SAYS_TOO_LARGE.search(message)
                if code == 413 or (code == 400 and too_large):
                    raise TooLarge(problem)
                if code not in BUSY or _SPENT in text:
                    hint = f"; is {self.key} right?" if code in (401, 403) else ""
                    raise ServiceError(f"{self.name} refused: {problem}{hint}")
                wait = retry_after(response.headers.get("Retry-After"), wait)
            if attempt < self.attempts:
                _LOG.info("%s: %s; again in %.1f s", self.name, problem, wait)
                sleep(wait)
        raise ServiceError(f"{self.name} gave no answer in {attempt} attempts; the last: {problem}")

    def _json(self, text: str) -> Any:
        try:
            return self._cleared(text)
        except (ValueError, RecursionError):
            raise ServiceError(
                f"{self.name} did not answer with JSON, got {self._without_key(text)!r:.80}"
            ) from None

    def _cleared(self, text: str) -> Any:
        """Parse the JSON of an answer, without the key."""
        return json.loads(text.replace(self._secret, HIDDEN) if self._secret else text)

    @property
    def _secret(self) -> str:
        return os.environ.get(self.key, "").strip()

    def _message(self, text: str) -> str:
        try:
            found = self._cleared(text)
            for key in ("error", "message", "detail"):
                found = found.get(key, found) if isinstance(found, dict) else found
            text = found if isinstance(found, str) else json.dumps(found)
        except (ValueError, RecursionError):
            pass
        return visible(self._without_key(" ".join(text.split())))[:300]

    def _without_key(self, text: str) -> str:
        return redacted(text, self._secret)


def below(address: str, path: str) -> str:
    """Append a path to an address before its parameters, unless it is there."""
    base, sign, parameters = address.partition("?")
    base = base.rstrip("/")
    if not base.endswith(f"/{path}"):
        base = f"{base}/{path}"
    return f"{base}{sign}{parameters}"


def _without_secrets(record: logging.LogRecord) -> bool:
    record.msg, record.args = redacted(record.getMessage()), None
    return True


def retry_after(given: str | None, otherwise: float) -> float:
    """Return the seconds to wait that a service asks for, at most ``MAX_PAUSE``."""
    if not given:
        return otherwise
    try:
        seconds = float(given)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(given).timestamp() - time()
        except ValueError:
            return otherwise
    return min(max(seconds, 0.0), MAX_PAUSE) if seconds == seconds else otherwise


# -- a language model, through any service with OpenAI's chat interface


class Chat:
    """A chat model; a key is read from the environment variable HYBRIDSEM_API_KEY. ``how`` are
    ``timeout``, ``attempts`` and ``pause``, as :class:`Endpoint` takes them. Each answer is stored
    on disk at once: none is paid for twice, and an interrupted run continues.
    """

    def __init__(
        self,
        url: str,
        model: str,
        kind: str,
        *,
        settings: Mapping[str, object] | None = None,
        **how: Any,
    ) -> None:
        if not model or not re.match(r"https?://", url):
            raise InputError(
                f"a chat service needs an http address and a model, got {url!r} and {model!r}"
            )
        self.name, self.model, self.kind = f"chat:{model}", model, kind
        self.settings = dict(settings or {})
        address = below(url, "chat/completions")
        self._endpoint = Endpoint(self.name, address, CHAT_KEY, needs_key=False, **how)

    def answers(self, prompts: Sequence[str], folder: Path, *, offline: bool = False) -> list[str]:
        """Return the answer to each prompt, in order, and store it in ``folder``. Raises
        :class:`ServiceError` if the service refuses, fails, or does not answer with a message, and
        with ``offline`` if an answer is not stored.
        """
        url, bodies = redacted(self._endpoint.url), map(self._body, prompts)
        asked = (key_of(url, json.dumps(body, sort_keys=True)) for body in bodies)
        keys = dict(zip(prompts, asked, strict=True))
        with closing(Store(folder / f"{self.kind}.sqlite", [self.kind])) as store:
            found = self._endpoint.answers(self.kind, keys, self._answer, store, offline)
        return [found[keys[prompt]].decode() for prompt in prompts]

    def _body(self, prompt: str) -> dict[str, object]:
        messages = [{"role": "user", "content": prompt}]
        return {"model": self.model, "messages": messages, **self.settings}

    def _answer(self, client: httpx.Client, prompt: str) -> bytes:
        try:
            answer = self._endpoint.post(client, self._body(prompt))
        except TooLarge as error:
            raise ServiceError(f"{self.name} does not take {prompt!r:.80}: {error}") from None
        try:
            text = answer["choices"][0]["message"]["content"]
        except (KeyError, IndexError, TypeError):
            message = f"{self.name} answered without a message, got {answer!r:.200}"
            raise ServiceError(message) from None
        if text is not None and not isinstance(text, str):
            raise ServiceError(f"{self.name} did not answer with text, got {text!r:.80}")
        return (text or "").encode()
