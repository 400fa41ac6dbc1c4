"""hybridsem in Haystack: components that embed texts and documents, and one that ranks.

They are written down by name (``to_dict``), so parts given as objects can be used and not saved.
Haystack loads a file that names them after
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
    """A component with a pipeline and other ``options``, plain values by their name."""

    options: tuple[str, ...] = ()

    def __init__(self, model: Model = "embedded") -> None:
        self.pipeline = pipeline_of(model)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, which ``from_dict`` makes the component of again."""
        options = {name: vars(self)[name] for name in self.options}
        data: dict[str, Any] = default_to_dict(self, model=named(self.pipeline), **options)
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The component that ``to_dict`` has written down."""
        made: Self = default_from_dict(cls, data)
        return made


@component
class HybridSemTextEmbedder(_Component):
    """The vector of a query by ``model``; of one that compares pairs, by its encoder.

    >>> found = HybridSemTextEmbedder().run("It rains.")
    >>> len(found["embedding"])
    384
    """

    @component.output_types(embedding=list[float], meta=dict[str, Any])
    def run(self, text: str) -> dict[str, Any]:
        """The embedding, and as ``meta`` the model's name."""
        (row,) = self.pipeline.encode([text]).tolist()
        return {"embedding": row, "meta": {"model": name_of_vectors(self.pipeline)}}


@component
class HybridSemDocumentEmbedder(_Component):
    """The vectors of documents by ``model``; of one that compares pairs, by its encoder.

    >>> found = HybridSemDocumentEmbedder().run([Document(content="It rains.")])
    >>> len(found["documents"][0].embedding)
    384
    """

    @component.output_types(documents=list[Document], meta=dict[str, Any])
    def run(self, documents: list[Document]) -> dict[str, Any]:
        """Copies of the documents with their embeddings, and as ``meta`` the model's name."""
        rows = self.pipeline.encode([document.content or "" for document in documents]).tolist()
        embedded = [
            replace(document, embedding=row) for document, row in zip(documents, rows, strict=True)
        ]
        return {"documents": embedded, "meta": {"model": name_of_vectors(self.pipeline)}}


@component
class HybridSemRanker(_Component):
    """Puts documents in the order of their scores with a query, and keeps ``top_k``.

    A document without a score (one without text) comes last, with None.

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
        """Copies of the documents with their scores, the best first."""
        texts = [document.content or "" for document in documents]
        order = ranked(self.pipeline, query, texts, top_k or self.top_k)
        return {"documents": [replace(documents[i], score=score) for i, score in order]}
