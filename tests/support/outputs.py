"""What the program computes of some hundred sentences, as digests of its bits.

    PYTHONPATH=tests python -m support.outputs           # compares them with those that are stored
    PYTHONPATH=tests python -m support.outputs --write   # stores them anew

The second is for new weights, on any processor: the bits are the same on all of x86-64 with AVX2.
"""

import hashlib
import json
import random
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem import Pipeline
from hybridsem.datasets.triples import development_sentences
from hybridsem.embeddings.embedded import EmbeddedEncoder
from support.generated import FORMS, PEOPLE, PLACES, THINGS, VERBS, _sentence
from support.texts import ODD

STORED = Path(__file__).with_suffix(".json")
COUNT, SEED = 110, 0
INVERTED = [
    (
        "A stack of old books on display on a table.",
        "Old books are on display on a stack of tables.",
    ),
    ("A pile of new toys on display on a shelf.", "New toys are on display on a pile of shelves."),
]
"""Words that two others govern in one sentence and are governed by in the other: a score must not
depend on which of them a set gives first.
"""
MODELS = ("hybrid", "hybrid-0.1", "role-encoder", "verbnet-cn", "amr-cn", "amr-wwlk", "mean", "sif")


def sentences() -> list[str]:
    """Sentences of a small grammar, and texts that no parser was made for."""
    draw = random.Random(SEED)
    choices = (FORMS, PEOPLE, (*PEOPLE, *THINGS), VERBS, PLACES)
    made = [_sentence(*(draw.choice(part) for part in choices)) for _ in range(COUNT)]
    return [*made, *(text for text in ODD if text.isprintable())]


def outputs() -> dict[str, list[str]]:
    """By name, a digest of each sentence or pair."""
    texts = sentences()
    pairs = list(zip(texts, [*texts[1:], texts[0]], strict=True))
    rewritten = development_sentences()
    natural = [*INVERTED, *zip(rewritten[::2], rewritten[1::2], strict=True)]
    nlp, encoder = Pipeline(), EmbeddedEncoder()
    found: dict[str, Iterable[Any]] = {
        "vectors": encoder.encode(texts),
        "role vectors": encoder.encode(texts, "role"),
        "words": nlp.vectors.embed(sorted({word for text in texts for word in text.split()})),
        "parses": nlp.parse(texts),
        "judgements": [list(judgement.probabilities.values()) for judgement in nlp.judge(pairs)],
        "scores of natural pairs": nlp.score(natural),
        "judgements of natural pairs": [
            list(judgement.probabilities.values()) for judgement in nlp.judge(natural)
        ],
        "contributions": [
            [match.contribution for match in explanation.matches]
            for explanation in nlp.explain(pairs[:40])
        ],
        **{f"scores of {model}": Pipeline(model).score(pairs) for model in MODELS},
    }
    return {name: [_digest(value) for value in values] for name, values in found.items()}


def _digest(value: Any) -> str:
    content = (
        value.tobytes() if isinstance(value, np.ndarray | np.generic) else repr(value).encode()
    )
    return hashlib.sha256(content).hexdigest()[:8]


def differing(found: dict[str, list[str]], stored: dict[str, list[str]]) -> dict[str, list[int]]:
    """The places, by name, of what is not as it is stored."""
    assert found.keys() == stored.keys()
    return {
        name: places
        for name, digests in found.items()
        if (places := [i for i, digest in enumerate(digests) if digest != stored[name][i]])
    }


def main() -> None:
    found = outputs()
    if "--write" in sys.argv:
        STORED.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")
    other = differing(found, json.loads(STORED.read_text(encoding="utf-8")))
    sys.stdout.write(f"{sum(map(len, found.values()))} outputs; not as stored: {other or 'none'}\n")
    sys.exit(bool(other))


if __name__ == "__main__":
    main()
