"""An index for Vespa, and a query for it. Not run in our tests, which have no Vespa.

    python examples/search_vespa.py idx/ > feed.jsonl
    vespa deploy …  (sentences.sd is the schema; 384 is the dimension);  vespa feed feed.jsonl
    python examples/search_vespa.py "The newspaper was sued by the bank." > query.json
    vespa query --file query.json

The rank profile ``roles`` orders the nearest sentences by the mean over the query's roles.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hybridsem import Pipeline
from hybridsem.search import Index
from hybridsem.search.export import exported, role_vectors

CONTROLS = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # Vespa refuses them


def documents(index: Index) -> Iterator[dict[str, Any]]:
    """What ``vespa feed`` takes, a text each."""
    for text in exported(index):
        row = text.to_dict()
        blocks = {role: slot["vector"] for role, slot in row["roles"].items()}
        # An id in which nothing has a meaning of its own.
        name = re.sub(r"[^\w.-]", lambda found: f"%{ord(found[0]):x}", str(text.id))
        yield {
            "put": f"id:hybridsem:sentences::{name}",
            "fields": {
                "id": str(text.id),
                "text": CONTROLS.sub("", text.text),
                "sentence": {"values": row["vector"]},
                "roles": {"blocks": blocks},
            },
        }


def query(sentence: str) -> dict[str, Any]:
    """The nearest by the sentence's vector, in the order of the rank profile."""
    nlp = Pipeline()
    (vector,) = nlp.encode([sentence])
    return {
        "yql": "select id, text from sentences where "
        "{targetHits: 100}nearestNeighbor(sentence, sentence)",
        "ranking": "roles",
        "input.query(sentence)": vector.tolist(),
        "input.query(roles)": {
            r: values.tolist() for r, values in role_vectors(nlp, sentence).items()
        },
    }


def main(given: str = "The newspaper was sued by the bank.") -> None:
    """Print the documents of an index, or a query."""
    for one in documents(Index.open(given)) if Path(given).is_dir() else [query(given)]:
        print(json.dumps(one))


if __name__ == "__main__":
    main(*sys.argv[1:])
