"""What a pipeline keeps of what it has read, whatever its parser."""

from pathlib import Path

import pytest

from hybridsem import Pipeline
from hybridsem._utils.store import Store
from hybridsem.batch.cache import TABLES

PAIR = ("A dog barks.", "The dog never barked.")


@pytest.mark.parametrize("model", ["hybrid", "amr-cn", "amr-wlk", "dependency-cn"])
def test_remembering_changes_no_score(tmp_path: Path, model: str) -> None:
    nlp = Pipeline(model)
    score, read = nlp.similarity(*PAIR), nlp.parse([*PAIR])
    for store in (None, Store(tmp_path / "kept.sqlite", TABLES)):
        nlp.remember(10, store)
        assert nlp.remembers
        assert nlp.similarity(*PAIR) == nlp.similarity(*PAIR) == score
        assert nlp.parse([*PAIR]) == read
