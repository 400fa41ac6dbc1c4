"""Parsers that do not succeed with everything."""

from collections.abc import Iterable

from hybridsem import ParseFailure, Pipeline
from hybridsem.structures import Parsed


class FailsOnRain:
    """The usual parser, but for what it has no structure of."""

    def __init__(self) -> None:
        self.parser = Pipeline().parser

    def parse(self, sentences: Iterable[str]) -> list[Parsed]:
        texts = list(sentences)
        return [
            ParseFailure(text, "it rains") if "rain" in text else parsed
            for text, parsed in zip(texts, self.parser.parse(texts), strict=True)
        ]
