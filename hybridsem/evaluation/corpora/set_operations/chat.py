"""A fuser that asks a language model, at any endpoint like OpenAI's chat completions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from hybridsem._utils.chat import Chat
from hybridsem._utils.validation import check_sentences
from hybridsem.assets import cache_folder, is_offline
from hybridsem.errors import InputError

TEMPERATURE = 0.5
"""The paper's temperature."""

PROMPT = (
    "Write one grammatical English sentence that states everything that the two sentences below "
    "state, each fact once, and nothing else. Keep their wording where you can. Answer with that "
    "sentence alone.\n\nFirst: {first}\nSecond: {second}"
)


class ChatFuser:
    """Fuses two sentences by asking a chat model (:class:`~hybridsem._utils.chat.Chat`).

    With ``HYBRIDSEM_OFFLINE=1`` only answers on disk are used. Args: the service's ``url``, such as
    ``http://localhost:8000/v1``; ``model``, its name there; a ``prompt`` with {first} and {second};
    ``temperature`` from 0 to 2; further fields of the request; ``timeout`` and ``pause`` (before
    another attempt, doubled each time) in seconds.
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
        if "{first}" not in prompt or "{second}" not in prompt:
            raise InputError(f"the prompt must have {{first}} and {{second}}, got {prompt!r:.80}")
        if not 0 <= temperature <= 2:
            raise InputError(f"temperature must be within 0 and 2, got {temperature!r}")
        self.prompt = prompt
        settings = {"temperature": temperature, **(settings or {})}
        how: dict[str, Any] = {"timeout": timeout, "attempts": attempts, "pause": pause}
        self._chat = Chat(url, model, "fusions", settings=settings, **how)
        self.name, self.model, self.settings = self._chat.name, model, self._chat.settings

    def fuse(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        """Return a sentence for each pair; None where the model's answer was empty."""
        check_sentences([text for pair in pairs for text in pair])
        prompts = [self._asked(*pair) for pair in pairs]
        answers = self._chat.answers(prompts, cache_folder() / "services", offline=is_offline())
        return [" ".join(text.split()).strip('"“”') or None for text in answers]

    def _asked(self, first: str, second: str) -> str:
        given = {"{first}": first, "{second}": second}
        # Both at once, because texts may contain braces.
        return re.sub(r"\{first\}|\{second\}", lambda found: given[found[0]], self.prompt)
