"""LanceDB finds candidates by the sentence, or by who does something; the hybrid orders them.

python examples/search_lancedb.py         needs lancedb; it runs in this process
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import islice
from typing import Any

import lancedb
import pyarrow

from hybridsem import Pipeline
from hybridsem.search import Index
from hybridsem.search.export import ROLES, exported, role_vectors

TEXTS = [
    "The bank sued the newspaper.",
    "The newspaper sued the bank.",
    "A bank took a newspaper to court.",
    "The bank praised the newspaper.",
]
QUERY = "The newspaper was sued by the bank."


def fill(database: Any, index: Index, name: str = "sentences") -> Any:
    """Make a table: ``id``, ``text``, ``vector``, and for each role its phrase and ``ROLE_vector``,
    null where there is none.
    """
    text, vector = pyarrow.string(), pyarrow.list_(pyarrow.float32(), index.info["dimension"])
    columns = [("id", pyarrow.int64() if index.numbered else text), ("text", text)]
    columns += [("vector", vector)]
    for role in ROLES:
        columns += [(role, text), (f"{role}_vector", vector)]
    schema = pyarrow.schema(columns)
    table = database.create_table(name, schema=schema)
    found = rows(index)
    while some := list(islice(found, 512)):
        table.add(pyarrow.Table.from_pylist(some, schema=schema))
    return table


def rows(index: Index) -> Iterator[dict[str, Any]]:
    """A row a text; what it lacks is null."""
    for text in exported(index):
        row = {"id": text.id, "text": text.text, "vector": text.vector.tolist()}
        for role, (phrase, vector) in text.roles.items():
            row |= {role: phrase, f"{role}_vector": vector.tolist()}
        yield row


def main() -> None:
    """Fill a table, and ask it."""
    nlp = Pipeline()
    with tempfile.TemporaryDirectory() as folder:
        index = Index.build(TEXTS, f"{folder}/idx", nlp)
        table = fill(lancedb.connect(f"{folder}/lance"), index)
        (vector,) = nlp.encode([QUERY])
        found = table.search(vector.tolist(), vector_column_name="vector").limit(4).to_list()
        texts = [row["text"] for row in found]
        print("LanceDB, by the sentence:", *texts, sep="\n  ")
        order = (texts[one["corpus_id"]] for one in nlp.rank(QUERY, texts))
        print("the hybrid:", *order, sep="\n  ")
        agent = role_vectors(nlp, QUERY)["agent"].tolist()
        found = table.search(agent, vector_column_name="agent_vector").limit(2).to_list()
        print("LanceDB, by the agent:", *(row["text"] for row in found), sep="\n  ")


if __name__ == "__main__":
    main()
