"""SemParse, the VerbNet parser of the STS3k release, by its HTTP service: ``semparse:URL``.

    GET URL/predict/semantics?utterance=Ann gave Bob a book
    {"tokens": [{"text": "Ann", …}, {"text": "gave", "isPredicate": true, …}, {"text": "Bob a book",
    …}],
     "props":  [{"sense": "give-13.1", "spans": [
         {"start": 0, "end": 0, "pb": "A0", "vn": "Agent", "description": "giver", "isPredicate":
         false, …}, …]}]}

Both ends of a span belong to it. Its role is that of its VerbNet name, else that of its PropBank
label or description, as for the release's unrepaired files (github.com/jgung/verbnet-parser). The
service parses the first of several sentences; then the structure is marked as truncated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybridsem._typing import Record
from hybridsem._utils.service import Endpoint, TooLarge, Unreachable, below
from hybridsem._utils.store import Store, key_of
from hybridsem._utils.validation import check_count, check_sentences
from hybridsem.assets import is_offline
from hybridsem.errors import InputError, ServiceError, redacted
from hybridsem.parsers.adapters import span_frames
from hybridsem.parsers.adapters.precomputed import DESCRIPTIONS
from hybridsem.parsers.verbnet.general_roles import of_verbnet
from hybridsem.structures import Argument, Parsed, ParseFailure, Predicate

if TYPE_CHECKING:
    import httpx

OPTIONS = {"cache": str, "timeout": float, "workers": int}
"""Options after the address: ``semparse:URL,workers=4``."""

_TABLE = "answers"
_PROPBANK = re.compile(r"([CR]-)?A(?:RG)?(M-\w+|[0-9A])", re.IGNORECASE)


class SemParse:
    """A parser that asks a SemParse service. It sends ``workers`` requests at a time, with
    temporary failures four times at most; ``cache`` is an SQLite file that stores the answers. A
    sentence that the service refuses or cannot parse is a :class:`ParseFailure`. Raises
    :class:`InputError` (another address, or a number out of range).
    """

    def __init__(
        self, url: str, *, workers: int = 2, timeout: float = 60.0, cache: str | Path | None = None
    ) -> None:
        if not re.match(r"https?://[^/]", url):
            raise InputError(
                f"SemParse needs an http address, got {url!r}; write semparse:http://localhost:8080"
            )
        check_count(workers, "workers")
        if not 0 < timeout < float("inf"):
            raise InputError(f"timeout is a number of seconds, got {timeout!r}")
        self.workers, self.cache = workers, cache
        address = below(url, "predict/semantics")
        self._endpoint = Endpoint(
            "SemParse", address, "SEMPARSE_KEY", needs_key=False, timeout=timeout, attempts=4
        )

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        """Return a structure or a failure for each sentence, or raise :class:`ServiceError`."""
        texts = check_sentences(sentences)
        url = redacted(self._endpoint.url)
        keys = {text: key_of(url, text) for text in texts}
        failures: dict[str, ParseFailure] = {}

        def ask(client: httpx.Client, text: str) -> bytes | None:
            try:
                answer = self._endpoint.get(client, {"utterance": text})
                _structure(text, answer)
                return json.dumps(answer).encode()
            except Unreachable:
                raise
            except (ServiceError, TooLarge) as error:
                failures[text] = ParseFailure(text, str(error))
                return None

        cached = closing(Store(Path(self.cache), [_TABLE])) if self.cache else nullcontext()
        with cached as store:
            found = self._endpoint.answers(_TABLE, keys, ask, store, is_offline(), self.workers)
        return [
            failures.get(text) or _structure(text, json.loads(found[keys[text]])) for text in texts
        ]


def _structure(text: str, answer: Any) -> Parsed:
    """Return the structure in an answer, or a failure; :class:`ServiceError` if not a parse."""
    try:
        words = [word for part in answer["tokens"] for word in part["text"].split(" ") if word]
        predicates = [_predicate(proposition, words) for proposition in answer["props"]]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        given = str(answer)[:80]
        raise ServiceError(f"SemParse did not answer with a parse, got {given!r}") from None
    if not predicates:
        return ParseFailure(text, "SemParse finds no predicate in it")
    read, whole = "".join("".join(words).split()), "".join(text.split())
    cut = read != whole and whole.startswith(read)
    return span_frames.structure_of_predicates(text, words, predicates, truncated=cut)


def _predicate(proposition: Record, words: Sequence[str]) -> Predicate:
    index: int | None = None
    arguments: list[Argument] = []
    for span in proposition["spans"]:
        start, end = int(span["start"]), int(span["end"])
        if not 0 <= start <= end < len(words):
            raise ValueError("a span outside the sentence")
        label = str(span.get("pb") or span["label"])
        if span.get("isPredicate") or label.lower() in span_frames.PREDICATE_LABELS:
            if index is None:
                rest = span_frames.continued(range(start, end + 1), start)
                index, arguments = start, [*rest, *arguments]
            continue
        if match := _PROPBANK.fullmatch(label):
            label = f"{(match[1] or '').upper()}ARG{match[2].upper()}"
        name, description = str(span.get("vn") or ""), str(span.get("description") or "")
        # A numbered role without a VerbNet name is known by its description; ARG0 is the Agent.
        role = DESCRIPTIONS.get(description.lower()) if not name and label != "ARG0" else None
        verbnet = (of_verbnet(name),) if name else ()
        arguments.append(Argument(label, tuple(range(start, end + 1)), start, verbnet, role))
    if index is None:
        raise ValueError("no span is the predicate")
    return Predicate(index, words[index].lower(), None, tuple(arguments))
