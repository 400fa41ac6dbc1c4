"""What other engines take, in those that run in this process; what is not run is read."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hybridsem import Pipeline
from hybridsem.errors import InputError
from hybridsem.search.export import ROLES, exported, write_jsonl
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


def recipe(name: str) -> Any:
    """The module ``examples/search_NAME.py``."""
    path = Path(__file__).parents[2] / "examples" / f"search_{name}.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_json_lines(index: Index, tmp_path: Path) -> None:
    assert write_jsonl(index, tmp_path / "texts.jsonl") == len(TEXTS)
    lines = (tmp_path / "texts.jsonl").read_text(encoding="utf-8").splitlines()
    for line, text in zip(lines, exported(index), strict=True):
        row = json.loads(line)
        assert (row["id"], row["text"]) == (text.id, text.text)
        np.testing.assert_allclose(row["vector"], text.vector, atol=1e-6)
        assert row["roles"].keys() == text.roles.keys() <= {*ROLES}
        assert row["roles"]["verb"]["text"] == text.roles["verb"][0]
    with pytest.raises(InputError, match="the output exists"):
        write_jsonl(index, tmp_path / "texts.jsonl")


def test_qdrant(index: Index) -> None:
    qdrant_client = pytest.importorskip("qdrant_client")
    client = qdrant_client.QdrantClient(":memory:")
    recipe("qdrant").fill(client, index)
    assert client.count("sentences").count == len(TEXTS)
    query = next(exported(index))
    sentence = client.query_points("sentences", query.vector.tolist(), using="sentence", limit=2)
    assert sentence.points[0].payload["text"] == TEXTS[0]
    agent = client.query_points(
        "sentences", query.roles["agent"][1].tolist(), using="agent", limit=2
    )
    assert {point.payload["id"] for point in agent.points} == {0, 1}


def test_lancedb(index: Index, tmp_path: Path) -> None:
    lancedb = pytest.importorskip("lancedb")
    table = recipe("lancedb").fill(lancedb.connect(str(tmp_path / "lance")), index)
    query = next(exported(index))
    found = table.search(query.vector.tolist(), vector_column_name="vector").limit(1).to_list()
    assert found[0]["text"] == TEXTS[0]
    agent = table.search(query.roles["agent"][1].tolist(), vector_column_name="agent_vector")
    assert {row["id"] for row in agent.limit(2).to_list()} == {0, 1}


def test_pgvector_is_copied(index: Index) -> None:
    pytest.importorskip("pgvector")
    lines = [part for text in recipe("pgvector").sql(index) for part in text.split("\n")]
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


def test_vespa_is_fed(index: Index) -> None:
    vespa = recipe("vespa")
    documents = list(vespa.documents(index))
    assert [one["put"] for one in documents] == [
        f"id:hybridsem:sentences::{row}" for row in range(len(TEXTS))
    ]
    assert documents[3]["fields"]["text"] == TEXTS[3].replace("\x00", "")
    assert {"agent", "verb"} < set(documents[0]["fields"]["roles"]["blocks"]) < set(ROLES)
    schema = (Path(vespa.__file__).parent / "sentences.sd").read_text()
    assert "tensor<float>(role{}, x[384])" in schema
    assert schema.count("{") == schema.count("}")
