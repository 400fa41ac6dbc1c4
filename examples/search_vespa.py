"""A query for Vespa with the schema and documents of ``hybridsem index export --to vespa``.

    hybridsem index export idx/ --to vespa -o vespa/
    vespa deploy …  (sentences.sd is the schema);  vespa feed vespa/feed.jsonl
    python examples/search_vespa.py "The newspaper was sued by the bank." > query.json
    vespa query --file query.json             (not run in our tests: it needs a Vespa)

The rank profile ``roles`` orders the nearest sentences by the mean over the query's roles.
"""

from __future__ import annotations

import json
import sys

from hybridsem import Pipeline
from hybridsem.search.export import role_vectors

nlp = Pipeline()
query = sys.argv[1] if len(sys.argv) > 1 else "The newspaper was sued by the bank."
(vector,) = nlp.encode([query])
roles = {role: values.tolist() for role, values in role_vectors(nlp, query).items()}
request = {
    "yql": "select id, text from sentences where "
    "{targetHits: 100}nearestNeighbor(sentence, sentence)",
    "ranking": "roles",
    "input.query(sentence)": vector.tolist(),
    "input.query(roles)": roles,
}
print(json.dumps(request))
