"""A fuser that asks a language model: any endpoint that speaks as OpenAI's chat completions do.

Each answer is kept on disk as soon as it has come, so that none is paid for twice and a run that
breaks off goes on where it stopped.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hybridsem._utils.service import Endpoint, TooLarge, below
from hybridsem._utils.store import Store, key_of
from hybridsem._utils.validation import check_sentences
from hybridsem.assets import cache_folder, is_offline
from hybridsem.errors import InputError, ServiceError, redacted

__all__ = ["KEY", "PROMPT", "TEMPERATURE", "ChatFuser"]

KEY = "HYBRIDSEM_API_KEY"
TEMPERATURE = 0.5
"""The paper's."""

PROMPT = (
    "Write one grammatical English sentence that states everything that the two sentences "
    "below state, each fact once, "
    "and nothing else. Keep their wording where you can. Answer with that sentence "
    "alone.\n\nFirst: {first}\n"
    "Second: {second}"
)
_LOG = logging.getLogger("hybridsem")
_TABLE = "fusions"


class ChatFuser:
    """Fuses two sentences by asking a chat model.

    The key is read from the environment variable HYBRIDSEM_API_KEY where the service wants one.
    With ``HYBRIDSEM_OFFLINE=1`` only what is on disk is given.

    Args:
        url: The service, such as ``http://localhost:8000/v1``.
        model: As the service names it.
        prompt: What is asked, with {first} and {second} in the places of the sentences.
        temperature: Of the sampling, within 0 and 2.
        settings: Further fields of the request.
        timeout: Seconds for one request.
        attempts: How often a request that fails for a passing reason is made.
        pause: Seconds between two attempts, doubled each time unless the service asks otherwise.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        prompt: str = PROMPT,
        temperature: float = TEMPERATURE,
        settings: Mapping[str, Any] | None = None,
        timeout: float = 60.0,
        attempts: int = 8,
        pause: float = 1.0,
    ) -> None:
        if not model or not re.match(r"https?://", url):
            raise InputError(
                f"a chat service needs an http address and a model, got {url!r} and {model!r}"
            )
        if "{first}" not in prompt or "{second}" not in prompt:
            raise InputError(f"the prompt must have {{first}} and {{second}}, got {prompt!r:.80}")
        if not 0 <= temperature <= 2:
            raise InputError(f"temperature must be within 0 and 2, got {temperature!r}")
        address = below(url, "chat/completions")
        self.name, self.model, self.prompt = f"chat:{model}", model, prompt
        self.settings = {"temperature": temperature, **(settings or {})}
        self._endpoint = Endpoint(
            self.name,
            address,
            KEY,
            needs_key=False,
            timeout=timeout,
            attempts=attempts,
            pause=pause,
        )

    def fuse(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        """A sentence for each pair, in order; None where the model answered with nothing.

        Raises :class:`InputError` for blank text, :class:`ServiceError` where the service refuses,
        fails, or answers something else than a message.
        """
        check_sentences([text for pair in pairs for text in pair])
        keys = {
            pair: key_of(
                redacted(self._endpoint.url), json.dumps(self._body(*pair), sort_keys=True)
            )
            for pair in pairs
        }
        store = Store(cache_folder() / "services" / "fusions.sqlite", [_TABLE])
        try:
            found = store.get(_TABLE, keys.values())
            missing = [pair for pair, key in keys.items() if key not in found]
            if missing and is_offline():
                raise ServiceError(
                    f"HYBRIDSEM_OFFLINE is set and {len(missing)} pairs have no fusion of "
                    f"{self.name} on disk"
                )
            if missing:
                with self._endpoint.client() as client:
                    for done, pair in enumerate(missing, 1):
                        answer = self._answer(client, *pair).encode()
                        store.put(_TABLE, {keys[pair]: answer})
                        found[keys[pair]] = answer
                        _LOG.info("%s: %d of %d pairs", self.name, done, len(missing))
        finally:
            store.close()
        return [found[keys[pair]].decode() or None for pair in pairs]

    def _body(self, first: str, second: str) -> dict[str, Any]:
        given = {"{first}": first, "{second}": second}
        asked = re.sub(
            r"\{first\}|\{second\}", lambda found: given[found[0]], self.prompt
        )  # at once: texts have braces
        return {
            "model": self.model,
            "messages": [{"role": "user", "content": asked}],
            **self.settings,
        }

    def _answer(self, client: Any, first: str, second: str) -> str:
        try:
            answer = self._endpoint.post(client, self._body(first, second))
        except TooLarge as error:
            raise ServiceError(f"{self.name} does not take {first!r:.80}: {error}") from None
        try:
            text = answer["choices"][0]["message"]["content"]
        except (KeyError, IndexError, TypeError):
            raise ServiceError(
                f"{self.name} answered without a message, got {answer!r:.200}"
            ) from None
        if text is not None and not isinstance(text, str):
            raise ServiceError(f"{self.name} answered something else than text, got {text!r:.80}")
        return " ".join((text or "").split()).strip('"“”')
