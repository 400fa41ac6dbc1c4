"""Roles by a language model, over any service with OpenAI's chat completions interface.

    "The cook peeled an apple."  --prompt-->  {"Agent": "The cook", "Verb": "peeled", …}

Fodor, De Deyne & Suzuki 2024 (section 8.2.2 and Table 11) did this with GPT-4; the prompt differs.
Phrases that are not in the sentence are left out; an answer without roles is a failure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from hybridsem._utils.service import Chat
from hybridsem.assets import cache_folder, is_offline
from hybridsem.parsers.adapters.precomputed import structure_of_roles
from hybridsem.parsers.adapters.span_frames import EIGHT
from hybridsem.structures import Parsed, ParseFailure

OPTIONS = {"model": str, "timeout": float}
"""Options after the address: ``chat:http://localhost:8000/v1,model=NAME``."""

PROMPT = (
    "Find who did what to whom in the main clause of the sentence below. Answer with one JSON "
    "object and nothing else. Its keys are Agent (who acts), Verb (the main verb), Patient (who or "
    "what is changed by it), Theme (who or what is moved, given, said, perceived or described), "
    "Time, Manner (how, with what, why), Location (where) and Trajectory (from where, to where, "
    "along what). Each value is the words of the sentence that fill the role, copied as they "
    'stand, or "NONE". No words may fill two roles.\n\nSentence: {sentence}'
)
_OBJECT = re.compile(r"\{[^{}]*\}")


class ChatRoles:
    """Asks a chat model (:class:`~hybridsem._utils.service.Chat`) for the eight roles. ``model`` is
    the service's name of the model, ``timeout`` is in seconds. With ``HYBRIDSEM_OFFLINE=1`` only
    cached answers are used.
    """

    def __init__(self, url: str, model: str = "", *, timeout: float = 60.0) -> None:
        self._chat = Chat(url, model, "roles", settings={"temperature": 0}, timeout=timeout)

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        """Return a structure, or a failure without roles, for each sentence. Raises
        :class:`ServiceError` if the service refuses or fails.
        """
        prompts = [PROMPT.replace("{sentence}", sentence.strip()) for sentence in sentences]
        answers = self._chat.answers(prompts, cache_folder() / "services", offline=is_offline())
        return [_read(sentence, text) for sentence, text in zip(sentences, answers, strict=True)]


def _read(sentence: str, answer: str) -> Parsed:
    """Return the structure of an answer, from its JSON object."""
    found = _OBJECT.search(answer)
    try:
        plain = json.loads(found[0]) if found else None
    except ValueError:
        plain = None
    if not isinstance(plain, dict):
        reason = "is not a JSON object"
    else:
        words = _plain(sentence)
        roles: dict[str, str] = {
            EIGHT[name.lower()]: phrase
            for name, phrase in plain.items()
            if name.lower() in EIGHT and isinstance(phrase, str) and _plain(phrase) in words
        }
        parsed = structure_of_roles(sentence, roles)
        if not isinstance(parsed, ParseFailure):
            return parsed
        reason = "has no words of the sentence"
    return ParseFailure(sentence, f"the model's answer {reason}, got {answer!r:.80}")


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
