"""Components of Haystack that embed texts and documents, and one that ranks.

``to_dict`` saves names, so parts given as objects cannot be saved. Haystack loads such a file after
``allow_deserialization_module("hybridsem.interop.haystack")``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

from hybridsem.interop._shared import Model, missing, name_of_vectors, named, pipeline_of, ranked

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ImportError:
    _Missing = missing("Haystack", "haystack-ai")
    Document = list

    class component:  # type: ignore[no-redef]
        output_types = staticmethod(lambda **types: lambda method: method)

        def __new__(cls, made: type) -> Any:
            return type(made.__name__, (_Missing,), {"__doc__": made.__doc__})


__all__ = ["HybridSemDocumentEmbedder", "HybridSemRanker", "HybridSemTextEmbedder"]


class _Component:
    """A component with a pipeline and ``options``, the names of plain values."""

    options: tuple[str, ...] = ()

    def __init__(self, model: Model = "embedded") -> None:
        self.pipeline = pipeline_of(model)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for ``from_dict``."""
        options = {name: vars(self)[name] for name in self.options}
        data: dict[str, Any] = default_to_dict(self, model=named(self.pipeline), **options)
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the component that ``to_dict`` has saved."""
        made: Self = default_from_dict(cls, data)
        return made


@component
class HybridSemTextEmbedder(_Component):
    """Embeds a query by ``model``, or by its encoder if it compares pairs.

    >>> found = HybridSemTextEmbedder().run("It rains.")
    >>> len(found["embedding"])
    384
    """

    @component.output_types(embedding=list[float], meta=dict[str, Any])
    def run(self, text: str) -> dict[str, Any]:
        """Return the embedding, and the model's name as ``meta``."""
        (row,) = self.pipeline.encode([text]).tolist()
        return {"embedding": row, "meta": {"model": name_of_vectors(self.pipeline)}}


@component
class HybridSemDocumentEmbedder(_Component):
    """Embeds documents by ``model``, or by its encoder if it compares pairs.

    >>> found = HybridSemDocumentEmbedder().run([Document(content="It rains.")])
    >>> len(found["documents"][0].embedding)
    384
    """

    @component.output_types(documents=list[Document], meta=dict[str, Any])
    def run(self, documents: list[Document]) -> dict[str, Any]:
        """Return copies of the documents with embeddings, and the model's name as ``meta``."""
        rows = self.pipeline.encode([document.content or "" for document in documents]).tolist()
        embedded = [
            replace(document, embedding=row) for document, row in zip(documents, rows, strict=True)
        ]
        return {"documents": embedded, "meta": {"model": name_of_vectors(self.pipeline)}}


@component
class HybridSemRanker(_Component):
    """Ranks documents by their scores with a query and keeps ``top_k``; a document without text
    comes last, with None.

    >>> documents = [Document(content="It rains."), Document(content="A dog was barking.")]
    >>> found = HybridSemRanker(top_k=1).run("A dog barked.", documents)
    >>> found["documents"][0].content
    'A dog was barking.'
    """

    options = ("top_k",)

    def __init__(self, model: Model = "hybrid", top_k: int | None = None) -> None:
        # No super(): Haystack makes another class of this one.
        self.pipeline, self.top_k = pipeline_of(model), top_k

    @component.output_types(documents=list[Document])
    def run(
        self, query: str, documents: list[Document], top_k: int | None = None
    ) -> dict[str, Any]:
        """Return copies of the documents with their scores, best first."""
        texts = [document.content or "" for document in documents]
        order = ranked(self.pipeline, query, texts, top_k or self.top_k)
        return {"documents": [replace(documents[i], score=score) for i, score in order]}
