"""Ask a language model through any service with OpenAI's chat interface.

Each answer is stored on disk at once: none is paid for twice, and an interrupted run continues.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybridsem._utils.service import Endpoint, TooLarge, below
from hybridsem._utils.store import Store, key_of
from hybridsem.errors import InputError, ServiceError, redacted

if TYPE_CHECKING:
    import httpx

KEY = "HYBRIDSEM_API_KEY"


class Chat:
    """A chat model; a key is read from the environment variable HYBRIDSEM_API_KEY. ``how`` are
    ``timeout``, ``attempts`` and ``pause``, as :class:`Endpoint` takes them.
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
        self._endpoint = Endpoint(self.name, address, KEY, needs_key=False, **how)

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
