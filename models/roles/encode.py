"""Everything that training reads of a sentence, computed once: frozen vectors, states, trees,
annotated predicates.

    python -m models.roles.encode --propbank propbank-ewt --ewt UD_English-EWT --out runs/roles

Writes ``train.npz`` and ``train.json`` and the same for dev and the frame examples. Arrays hold the
words of all sentences one after the other; ``starts`` says where each begins. A sentence has
several trees: ``gold`` (where there is one), ``parsed``, and on train ``noisy0`` …, drawn from the
parser's arc scores with Gumbel noise, since the parser knows these sentences by heart and the trees
that it will see at run time are worse.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.command import run
from hybridsem._utils.tables import word_set
from hybridsem.embeddings.embedded import equal_length_batches
from hybridsem.parsers.trees.embedded import OUTPUTS, EmbeddedTrees, _forms, best_trees
from hybridsem.structures import Argument, DependencyTree
from models.corpora import json_lines
from models.roles.propbank import read_propbank

NOISY = 2
NO_SPACE_BEFORE = word_set("n't 's 're 've 'll 'd 'm . , ! ? ; : % ) ' ’s")
NO_SPACE_AFTER = word_set("( $ ``")


def written(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """The words as people write them, and where each stands."""
    text, spans = "", []
    for k, token in enumerate(tokens):
        if k and token.lower() not in NO_SPACE_BEFORE and tokens[k - 1] not in NO_SPACE_AFTER:
            text += " "
        spans.append((len(text), len(text) + len(token)))
        text += token
    return text, spans


def examples(path: Path) -> list[dict[str, Any]]:
    """The frame examples as rows like the treebank's, their one predicate annotated."""
    rows = []
    for row in json_lines(path):
        if not row["rel"] or len(row["tokens"]) > 80:
            continue
        text, spans = written(row["tokens"])
        predicate = [row["rel"][0], row["roleset"].rpartition(".")[0], row["roleset"], row["args"]]
        made = {"text": text, "spans": spans, "forms": row["tokens"], "rel": row["rel"]}
        rows.append({**made, "predicates": [predicate]})
    return rows


def treebank(trees: Iterable[DependencyTree]) -> list[dict[str, Any]]:
    """Gold trees as rows."""

    def written(argument: Argument) -> list[Any]:
        tokens = argument.tokens
        return [argument.label, tokens[0], tokens[-1] + 1, list(argument.verbnet)]

    return [
        {
            "text": tree.text,
            "spans": [(token.start, token.end) for token in tree],
            "forms": [token.text for token in tree],
            "gold": [[token.head, token.relation, token.pos] for token in tree],
            "predicates": [
                [p.index, p.lemma, p.roleset, [*map(written, p.arguments)]]
                for p in tree.predicates or ()
            ],
        }
        for tree in trees
    ]


def encode(rows: list[dict[str, Any]], out: Path, parser: EmbeddedTrees, noise: float) -> None:
    """Write the arrays and the annotation of ``rows``."""
    rng = np.random.default_rng(1)
    names, kinds = parser._inventory["relations"], parser._inventory["tags"]
    starts = np.concatenate([[0], np.cumsum([len(row["forms"]) for row in rows])])
    n = int(starts[-1])
    width = next(node.shape[-1] for node in parser._heads.get_outputs() if node.name == "states")
    words, states = np.zeros((n, 384), np.float16), np.zeros((n, width), np.float16)
    trees = {"parsed": np.zeros((n, 2), np.int16)}
    if noise:
        trees |= {f"noisy{k}": np.zeros((n, 2), np.int16) for k in range(NOISY)}
    tags, shapes = np.zeros(n, np.int8), np.zeros(n, np.int8)

    for at in range(0, len(rows), 512):
        some = rows[at : at + 512]
        texts, spans = [row["text"] for row in some], [row["spans"] for row in some]
        forms = _forms(texts, spans)
        encoded = parser.encoder.analyse(texts)
        for batch in equal_length_batches([len(row["forms"]) for row in some], 512, 1):
            columns = ([each[i] for i in batch] for each in (forms, encoded, spans))
            inputs = parser._inputs(*columns)
            tag, arcs, dep, head, state = parser._heads.run(OUTPUTS, inputs)
            arcs[:, np.arange(arcs.shape[1]), np.arange(1, arcs.shape[2])] = -np.inf
            for name, found in trees.items():
                noisy = 0 if name == "parsed" else rng.gumbel(0, noise, arcs.shape)
                heads = np.array(best_trees(arcs + np.asarray(noisy, np.float32)))
                labels = parser._relations(heads, dep, head)
                for row, i in enumerate(batch):
                    here = slice(starts[at + i], starts[at + i + 1])
                    found[here] = np.stack([heads[row] - 1, labels[row]], 1)
            for row, i in enumerate(batch):
                here = slice(starts[at + i], starts[at + i + 1])
                words[here], states[here] = inputs["words"][row], state[row]
                tags[here], shapes[here] = tag[row], inputs["shapes"][row]
    if "gold" in rows[0]:
        heads, relations, tags_ = zip(*(word for row in rows for word in row["gold"]), strict=True)
        relations = [names.index(one if one in names else "dep") for one in relations]
        trees["gold"] = np.column_stack([heads, relations]).astype(np.int16)
        gold_tags = np.array([kinds.index(t) if t in kinds else 0 for t in tags_], np.int8)
        for name, found in trees.items():
            both = found == trees["gold"]
            print(out.name, name, f"UAS {both[:, 0].mean():.4f} LAS {both.all(1).mean():.4f}")
        print(out.name, f"UPOS {(gold_tags == tags).mean():.4f}")
    else:
        gold_tags = tags
    arrays = {"words": words, "states": states, "starts": starts, "tags": tags}
    arrays |= {"gold_tags": gold_tags, "shapes": shapes}
    np.savez(out.with_suffix(".npz"), **arrays, **trees)
    keep = [{k: v for k, v in row.items() if k not in ("gold", "spans")} for row in rows]
    out.with_suffix(".json").write_text(json.dumps(keep))


def main(*, propbank: Path, ewt: Path, out: Path, noise: float = 2.0) -> None:
    out.mkdir(parents=True, exist_ok=True)
    trees = EmbeddedTrees()
    for split in ("dev", "train"):
        rows = treebank(read_propbank(propbank / f"{split}.jsonl", ewt / f"{split}.conllu"))
        encode(rows, out / split, trees, noise if split == "train" else 0.0)
    encode(examples(propbank / "frame-examples.jsonl"), out / "examples", trees, 0.0)


if __name__ == "__main__":
    run(main)
