"""Queries for PostgreSQL with the table of ``hybridsem index export --to pgvector``.

hybridsem index export idx/ --to pgvector -o pg/ && psql -f pg/sentences.sql
python examples/search_pgvector.py "The newspaper was sued by the bank." | psql
(not run in our tests: it needs a PostgreSQL)
"""

from __future__ import annotations

import sys

from pgvector import Vector

from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem.search.export import role_vectors

nlp = Pipeline()
query = sys.argv[1] if len(sys.argv) > 1 else "The newspaper was sued by the bank."
(vector,) = nlp.encode([query])


def distance(column: str, vector: Float32Array) -> str:
    """To a column, as pgvector writes it."""
    return f"({column} <=> '{Vector(vector).to_text()}')"


print("-- by the sentence")
print(f"SELECT id, text FROM sentences ORDER BY {distance('sentence', vector)} LIMIT 10;")
distances = [distance(role, values) for role, values in role_vectors(nlp, query).items()]
print("-- by who did what: the mean over the roles, a missing one as far as can be")
terms = " + ".join(f"coalesce({one}, 1)" for one in distances)
print(f"SELECT id, text FROM sentences ORDER BY {terms} LIMIT 10;")
