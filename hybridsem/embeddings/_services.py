"""The embedding services as a table: their addresses, requests, and vectors in answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

Body = Callable[[str, Sequence[str], Mapping[str, Any]], dict[str, Any]]
"""Model, texts and further settings, to what is posted."""


@dataclass(frozen=True)
class Service:
    """How a service is spoken to, by POST and in JSON.

    ``key`` is the environment variable of the key, which is sent as ``header`` says. ``dimensions``
    is the setting for the length of vectors. ``rows`` is where an answer has its list of vectors;
    ``vector`` and ``index`` are a row's keys for the vector and its place (None: the row is the
    vector; rows are in order). ``texts`` and ``tokens`` are how much is put in one request, within
    what the service takes.
    """

    url: str
    key: str
    body: Body
    dimensions: str
    rows: tuple[str, ...] = ("data",)
    vector: str | None = "embedding"
    index: str | None = "index"
    header: tuple[str, str] = ("Authorization", "Bearer {key}")
    needs_key: bool = True
    texts: int = 100
    tokens: int = 50_000


def _openai(model: str, texts: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Any]:
    return {"model": model, "input": list(texts), "encoding_format": "float", **settings}


SERVICES: Mapping[str, Service] = MappingProxyType(
    {
        # platform.openai.com/docs/api-reference/embeddings
        "openai": Service(
            "https://api.openai.com/v1/embeddings",
            "OPENAI_API_KEY",
            _openai,
            "dimensions",
            texts=1000,
            tokens=200_000,
        ),
        # docs.cohere.com/reference/embed: at most 96 texts; a text that is too long is refused, not
        # cut
        "cohere": Service(
            "https://api.cohere.com/v2/embed",
            "COHERE_API_KEY",
            lambda model, texts, settings: {
                "model": model,
                "texts": list(texts),
                "input_type": "search_document",
                "embedding_types": ["float"],
                "truncate": "NONE",
                **settings,
            },
            "output_dimension",
            rows=("embeddings", "float"),
            vector=None,
            index=None,
            texts=96,
        ),
        # docs.voyageai.com/reference/embeddings-api: 120,000 tokens a request for voyage-3-large
        "voyage": Service(
            "https://api.voyageai.com/v1/embeddings",
            "VOYAGE_API_KEY",
            lambda model, texts, settings: {
                "model": model,
                "input": list(texts),
                "truncation": False,
                **settings,
            },
            "output_dimension",
        ),
        # ai.google.dev/api/embeddings
        "gemini": Service(
            "https://generativelanguage.googleapis.com/v1beta/models/{model}:batchEmbedContents",
            "GEMINI_API_KEY",
            lambda model, texts, settings: {
                "requests": [
                    {
                        "model": f"models/{model}",
                        "content": {"parts": [{"text": text}]},
                        "taskType": "SEMANTIC_SIMILARITY",
                        **settings,
                    }
                    for text in texts
                ]
            },
            "outputDimensionality",
            rows=("embeddings",),
            vector="values",
            index=None,
            header=("x-goog-api-key", "{key}"),
            tokens=20_000,
        ),
        # Whatever speaks as OpenAI's does: vLLM, text-embeddings-inference, Ollama, LM Studio, …
        "api": Service("", "HYBRIDSEM_API_KEY", _openai, "dimensions", needs_key=False),
    }
)
