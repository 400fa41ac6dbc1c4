"""Qdrant finds candidates by the sentence, or by who does something; the hybrid puts them in order.

python examples/search_qdrant.py          needs qdrant-client; it runs in this process
"""

from __future__ import annotations

import tempfile
import uuid

from qdrant_client import QdrantClient, models

from hybridsem import Pipeline
from hybridsem.search import Index
from hybridsem.search.export import ROLES, Exported, exported, role_vectors

TEXTS = [
    "The bank sued the newspaper.",
    "The newspaper sued the bank.",
    "A bank took a newspaper to court.",
    "The bank praised the newspaper.",
]
QUERY = "The newspaper was sued by the bank."


def fill(client: QdrantClient, index: Index, name: str = "sentences") -> None:
    """Make a collection with the named vectors ``sentence`` and one a role."""
    size = models.VectorParams(size=index.info["dimension"], distance=models.Distance.COSINE)
    client.create_collection(name, vectors_config=dict.fromkeys(("sentence", *ROLES), size))
    client.upload_points(name, map(point, exported(index)), batch_size=512, wait=True)


def point(text: Exported) -> models.PointStruct:
    """Qdrant's ids are numbers from 0 or UUIDs; ours is in the payload."""
    number = isinstance(text.id, int) and text.id >= 0
    return models.PointStruct(
        id=text.id if number else str(uuid.uuid5(uuid.NAMESPACE_URL, f"hybridsem:{text.id}")),
        vector={"sentence": text.vector.tolist()}
        | {role: vector.tolist() for role, (_, vector) in text.roles.items()},
        payload={"id": text.id, "text": text.text}
        | {role: phrase for role, (phrase, _) in text.roles.items()},
    )


def main() -> None:
    """Fill a collection, and ask it."""
    nlp = Pipeline()
    client = QdrantClient(":memory:")  # or path="folder", or url="http://localhost:6333"
    with tempfile.TemporaryDirectory() as folder:
        fill(client, Index.build(TEXTS, f"{folder}/idx", nlp))

    (vector,) = nlp.encode([QUERY])
    found = client.query_points("sentences", vector.tolist(), using="sentence", limit=4).points
    texts = [point.payload["text"] for point in found]
    print("Qdrant, by the sentence:", *texts, sep="\n  ")
    print("the hybrid:", *(texts[one["corpus_id"]] for one in nlp.rank(QUERY, texts)), sep="\n  ")

    agent = role_vectors(nlp, QUERY)["agent"]
    found = client.query_points("sentences", agent.tolist(), using="agent", limit=2).points
    print("Qdrant, by the agent:", *(point.payload["text"] for point in found), sep="\n  ")


if __name__ == "__main__":
    main()
