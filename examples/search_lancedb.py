"""LanceDB finds candidates by the sentence, or by who does something; the hybrid orders them.

python examples/search_lancedb.py         needs lancedb; it runs in this process
"""

from __future__ import annotations

import tempfile

import lancedb

from hybridsem import Pipeline
from hybridsem.search import Index
from hybridsem.search.export import role_vectors, to_lancedb

TEXTS = [
    "The bank sued the newspaper.",
    "The newspaper sued the bank.",
    "A bank took a newspaper to court.",
    "The bank praised the newspaper.",
]
QUERY = "The newspaper was sued by the bank."

nlp = Pipeline()
with tempfile.TemporaryDirectory() as folder:
    to_lancedb(Index.build(TEXTS, f"{folder}/idx", nlp), f"{folder}/lance")
    table = lancedb.connect(f"{folder}/lance").open_table("sentences")
    (vector,) = nlp.encode([QUERY])
    rows = table.search(vector.tolist(), vector_column_name="vector").limit(4).to_list()
    texts = [row["text"] for row in rows]
    print("LanceDB, by the sentence:", *texts, sep="\n  ")
    print("the hybrid:", *(texts[one["corpus_id"]] for one in nlp.rank(QUERY, texts)), sep="\n  ")
    agent = role_vectors(nlp, QUERY)["agent"].tolist()
    rows = table.search(agent, vector_column_name="agent_vector").limit(2).to_list()
    print("LanceDB, by the agent:", *(row["text"] for row in rows), sep="\n  ")
