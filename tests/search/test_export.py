"""What other engines take, in those that run in this process; what is not run is read."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hybridsem import Pipeline
from hybridsem.errors import InputError
from hybridsem.search.export import (
    ROLES,
    exported,
    qdrant_points,
    to_lancedb,
    to_pgvector,
    to_qdrant,
    to_vespa,
)
from hybridsem.search.index import Index

TEXTS = [
    "The bank sued the newspaper.",
    "The newspaper was sued by the bank.",
    "The newspaper sued the bank.",
    "Tabs\tand \\ backslashes bark\x00 at 5\r\ncats.",
]


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return Pipeline()


@pytest.fixture(scope="module")
def index(nlp: Pipeline, tmp_path_factory: pytest.TempPathFactory) -> Index:
    return Index.build(TEXTS, tmp_path_factory.mktemp("idx") / "idx", nlp, precision="float32")


def test_each_text_has_its_vector_and_its_roles(nlp: Pipeline, index: Index) -> None:
    found = list(exported(index))
    assert [one.text for one in found] == TEXTS
    np.testing.assert_allclose([one.vector for one in found], nlp.encode(TEXTS), atol=1e-6)
    active, passive, other, _ = found
    assert {role: text for role, (text, _) in passive.roles.items()} == {
        "verb": "sued",
        "agent": "bank",
        "theme": "newspaper",
    }
    for role in ("verb", "agent"):
        np.testing.assert_array_equal(active.roles[role][1], passive.roles[role][1])
    assert float(active.roles["agent"][1] @ other.roles["agent"][1]) < 0.9


def test_qdrant(nlp: Pipeline, index: Index, tmp_path: Path) -> None:
    qdrant_client = pytest.importorskip("qdrant_client")
    client = qdrant_client.QdrantClient(":memory:")
    assert qdrant_points(index, client) == len(TEXTS)
    query = next(exported(index))
    sentence = client.query_points("sentences", query.vector.tolist(), using="sentence", limit=2)
    assert sentence.points[0].payload["text"] == TEXTS[0]
    agent = client.query_points(
        "sentences", query.roles["agent"][1].tolist(), using="agent", limit=2
    )
    assert {point.payload["id"] for point in agent.points} == {0, 1}
    assert to_qdrant(index, tmp_path / "qdrant") == len(TEXTS)
    again = qdrant_client.QdrantClient(path=str(tmp_path / "qdrant"))
    assert again.count("sentences").count == len(TEXTS)
    again.close()
    with pytest.raises(InputError, match="is not empty"):
        to_qdrant(index, tmp_path / "qdrant")


def test_lancedb(index: Index, tmp_path: Path) -> None:
    lancedb = pytest.importorskip("lancedb")
    assert to_lancedb(index, tmp_path / "lance") == len(TEXTS)
    table = lancedb.connect(str(tmp_path / "lance")).open_table("sentences")
    query = next(exported(index))
    found = table.search(query.vector.tolist(), vector_column_name="vector").limit(1).to_list()
    assert found[0]["text"] == TEXTS[0]
    agent = table.search(query.roles["agent"][1].tolist(), vector_column_name="agent_vector")
    assert {row["id"] for row in agent.limit(2).to_list()} == {0, 1}


def test_pgvector_is_copied(index: Index, tmp_path: Path) -> None:
    assert to_pgvector(index, tmp_path / "pg") == len(TEXTS)
    lines = (tmp_path / "pg/sentences.sql").read_text(encoding="utf-8").split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith("COPY"))
    names = lines[start].partition("(")[2].partition(")")[0].split(", ")
    rows = lines[start + 1 : lines.index("\\.")]
    assert len(rows) == len(TEXTS)
    for row, text in zip(rows, TEXTS, strict=True):
        cells = dict(zip(names, row.split("\t"), strict=True))
        read = cells["text"].replace("\\\\", "\0").replace("\\t", "\t")
        read = read.replace("\\n", "\n").replace("\\r", "\r").replace("\0", "\\")
        assert read == text.replace("\x00", "")
        assert len(json.loads(cells["sentence"])) == 384
        assert all(cells[role] == "\\N" or len(json.loads(cells[role])) == 384 for role in ROLES)


def test_vespa_is_fed(index: Index, tmp_path: Path) -> None:
    assert to_vespa(index, tmp_path / "vespa") == len(TEXTS)
    documents = [json.loads(x) for x in (tmp_path / "vespa/feed.jsonl").read_text().splitlines()]
    assert [one["put"] for one in documents] == [
        f"id:hybridsem:sentences::{row}" for row in range(len(TEXTS))
    ]
    assert documents[3]["fields"]["text"] == TEXTS[3].replace("\x00", "")
    assert {"agent", "verb"} < set(documents[0]["fields"]["roles"]["blocks"]) < set(ROLES)
    schema = (tmp_path / "vespa/sentences.sd").read_text()
    assert "tensor<float>(role{}, x[384])" in schema
    assert schema.count("{") == schema.count("}")
