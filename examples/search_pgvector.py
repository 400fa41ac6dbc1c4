"""An index for PostgreSQL with pgvector, and queries. Not run in our tests, which have none.

python examples/search_pgvector.py idx/ > sentences.sql && psql -f sentences.sql
python examples/search_pgvector.py "The newspaper was sued by the bank." | psql
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from pgvector import Vector

from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem.search import Index
from hybridsem.search.export import ROLES, exported, role_vectors

# Of COPY's text format; PostgreSQL has no NUL.
ESCAPES = str.maketrans({"\0": "", "\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})


def sql(index: Index) -> Iterator[str]:
    """A table with a ``vector`` for the sentence and each role, its rows, an index."""
    kind, vector = "bigint" if index.numbered else "text", f"vector({index.info['dimension']})"
    columns = [f"id {kind} PRIMARY KEY", "text text NOT NULL", f"sentence {vector} NOT NULL"]
    for role in ROLES:
        columns += [f"{role}_text text", f"{role} {vector}"]
    names = ", ".join(column.split()[0] for column in columns)
    yield "CREATE EXTENSION IF NOT EXISTS vector;"
    yield "CREATE TABLE sentences (\n  " + ",\n  ".join(columns) + "\n);"
    yield f"COPY sentences ({names}) FROM stdin;"
    for text in exported(index):
        row = text.to_dict()
        cells = [str(row["id"]), row["text"], json.dumps(row["vector"])]
        cells = [cell.translate(ESCAPES) for cell in cells]
        for role in ROLES:
            slot = row["roles"].get(role)
            cells += (
                [slot["text"].translate(ESCAPES), json.dumps(slot["vector"])]
                if slot
                else [r"\N"] * 2
            )
        yield "\t".join(cells)
    yield "\\."
    yield "CREATE INDEX ON sentences USING hnsw (sentence vector_cosine_ops);"


def queries(sentence: str) -> Iterator[str]:
    """By the sentence, and by who did what."""
    nlp = Pipeline()
    (vector,) = nlp.encode([sentence])
    yield "-- by the sentence"
    yield f"SELECT id, text FROM sentences ORDER BY {distance('sentence', vector)} LIMIT 10;"
    distances = [distance(role, values) for role, values in role_vectors(nlp, sentence).items()]
    yield "-- by who did what: the mean over the roles, a missing one as far as can be"
    terms = " + ".join(f"coalesce({one}, 1)" for one in distances)
    yield f"SELECT id, text FROM sentences ORDER BY {terms} LIMIT 10;"


def distance(column: str, vector: Float32Array) -> str:
    """To a column, as pgvector writes it."""
    return f"({column} <=> '{Vector(vector).to_text()}')"


def main(given: str = "The newspaper was sued by the bank.") -> None:
    """Print the table of an index, or queries."""
    print(*(sql(Index.open(given)) if Path(given).is_dir() else queries(given)), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
