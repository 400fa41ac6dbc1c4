"""Requests: their limits, the OpenAPI document that describes them, and checking them by it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hybridsem import __version__
from hybridsem._utils.extras import extra
from hybridsem._utils.validation import problem
from hybridsem.errors import FormatError, InputError

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
