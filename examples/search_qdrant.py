"""Qdrant finds candidates by the sentence, or by who does something; the hybrid puts them in order.

python examples/search_qdrant.py          needs qdrant-client; it runs in this process
"""

from __future__ import annotations

import tempfile

from qdrant_client import QdrantClient

from hybridsem import Pipeline
from hybridsem.search import Index
from hybridsem.search.export import qdrant_points, role_vectors

TEXTS = [
    "The bank sued the newspaper.",
    "The newspaper sued the bank.",
    "A bank took a newspaper to court.",
    "The bank praised the newspaper.",
]
QUERY = "The newspaper was sued by the bank."

nlp = Pipeline()
with tempfile.TemporaryDirectory() as folder:
    client = QdrantClient(":memory:")  # or url="http://localhost:6333"
    qdrant_points(Index.build(TEXTS, f"{folder}/idx", nlp), client)

(vector,) = nlp.encode([QUERY])
found = client.query_points("sentences", vector.tolist(), using="sentence", limit=4).points
texts = [point.payload["text"] for point in found]
print("Qdrant, by the sentence:", *texts, sep="\n  ")
print("the hybrid:", *(texts[one["corpus_id"]] for one in nlp.rank(QUERY, texts)), sep="\n  ")

agent = role_vectors(nlp, QUERY)["agent"]
found = client.query_points("sentences", agent.tolist(), using="agent", limit=2).points
print("Qdrant, by the agent:", *(point.payload["text"] for point in found), sep="\n  ")
