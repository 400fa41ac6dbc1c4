"""The encoder whose vector tells who did what to whom: beside the plain one, which stays as it is,
and in its place.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from support.generated import some_sentences

from hybridsem import Pipeline
from hybridsem.batch import score_file
from hybridsem.embeddings.abilities import ReadsEnglishAlone, ReportsTruncation, SplitsVectors
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.embeddings.role_encoder import RoleEncoder
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation import evaluated_model

LONG = "The otter swam. " * 200
SENTENCES = [*some_sentences(60), "🙂", "word " * 300, "恨", "."]

# Written for these tests: a sentence, what means the same, and what has other roles.
ROLES = [
    tuple(f"{part}." for part in line.strip(".").split(". "))
    for line in (
        "The nurse thanked the plumber. The plumber was thanked by the nurse. "
        "The plumber thanked the nurse.",
        "A goose chased the postman across the yard. The postman was chased across the yard by a "
        "goose. The postman chased a goose across the yard.",
        "The critics praised the violinist. The violinist was praised by the critics. "
        "The violinist praised the critics.",
        "The mayor warned the reporter. The reporter was warned by the mayor. "
        "The mayor was warned by the reporter.",
    )
]


@pytest.fixture(scope="module")
def role(encoder: EmbeddedEncoder) -> RoleEncoder:
    return RoleEncoder(encoder)


def test_unit_rows_that_do_not_depend_on_their_batch(role: RoleEncoder) -> None:
    together = role.encode(SENTENCES)
    assert (together.shape, together.dtype) == ((len(SENTENCES), role.dimension), np.float32)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    alone = np.concatenate([role.encode([sentence]) for sentence in SENTENCES])
    np.testing.assert_array_equal(alone, together)
    np.testing.assert_array_equal(role.encode(SENTENCES[::-1])[::-1], together)
    assert role.encode([]).shape == (0, role.dimension)


def test_one_pass_gives_both_and_the_plain_vectors_stay(
    role: RoleEncoder, encoder: EmbeddedEncoder
) -> None:
    plain = encoder.analyse(SENTENCES, last_layer=True)
    both = encoder.analyse(SENTENCES, last_layer=True, role=True)
    for before, after in zip(plain, both, strict=True):
        for name in ("vector", "pieces", "last_layer"):
            np.testing.assert_array_equal(getattr(before, name), getattr(after, name))
        assert before.role is None
    found = np.array([one.role for one in both])
    np.testing.assert_array_equal(normalised(found), role.encode(SENTENCES))


def test_the_words_of_a_vector_add_up_to_it(role: RoleEncoder) -> None:
    for one, vector in zip(role.split(SENTENCES), role.encode(SENTENCES), strict=True):
        np.testing.assert_array_equal(one.vector, vector)
        np.testing.assert_allclose(one.pieces.sum(0) + one.rest, vector, atol=1e-5)
    assert isinstance(role, SplitsVectors)
    found = Pipeline("role-encoder").explain(*ROLES[0][:2])
    assert found.cosine_parts is not None


@pytest.mark.parametrize(("sentence", "same", "other"), ROLES)
def test_who_did_it_tells(
    role: RoleEncoder, encoder: EmbeddedEncoder, sentence: str, same: str, other: str
) -> None:
    def cosines(by: EmbeddedEncoder | RoleEncoder) -> tuple[float, float]:
        first, *others = by.encode([sentence, same, other])
        return first @ others[0], first @ others[1]

    plain, ours = cosines(encoder), cosines(role)
    assert ours[1] < plain[1] - 0.08
    assert ours[0] > 0.9
    assert ours[0] > ours[1] + 0.04
    assert plain[0] < plain[1]


def test_names(role: RoleEncoder) -> None:
    pair = ROLES[0][0], ROLES[0][2]
    rows = role.encode(list(pair))
    cosine = float(rows[0] @ rows[1])
    nlp = Pipeline("role-encoder")
    assert isinstance(nlp.encoder, RoleEncoder)
    assert nlp.similarity(*pair) == pytest.approx(cosine, abs=1e-6)
    assert nlp.similarity(pair[0], pair[0]) == 1
    assert nlp.spec.dimension == role.dimension == nlp.encode(pair).shape[1]
    hybrid = Pipeline("hybrid", encoder="role-encoder")
    assert hybrid.settings["encoder"] == "role-encoder"
    assert hybrid.explain(*pair).details["cosine"] == pytest.approx(cosine, abs=1e-6)
    assert evaluated_model("role-encoder").mask == role.mask_token


def test_spaces(role: RoleEncoder, encoder: EmbeddedEncoder) -> None:
    texts = SENTENCES[:5]
    for model in ("hybrid", "verbnet-cn", "amr-smatch"):
        nlp = Pipeline(model)
        np.testing.assert_array_equal(nlp.encode(texts, space="role"), role.encode(texts))
        np.testing.assert_array_equal(nlp.encode(texts, space="plain"), encoder.encode(texts))
    with pytest.raises(UnknownNameError, match="Did you mean 'role'"):
        Pipeline().encode(texts, space="roles")


def test_what_is_not_read_is_told(role: RoleEncoder) -> None:
    assert isinstance(role, ReportsTruncation)
    assert isinstance(role, ReadsEnglishAlone)
    assert role.too_long([LONG, "It rained."]) == [True, False]
    assert role.foreign(["Der Hund hat die Katze gejagt und dann geschlafen.", "It rained."]) == [
        True,
        False,
    ]
    nlp = Pipeline("role-encoder")
    assert nlp.truncated([LONG]) == [True]
    with pytest.raises(InputError):
        role.encode([" "])


def test_its_own_cache(tmp_path: Path) -> None:
    """What is kept of sentences for one space is not taken for the other's."""
    file, pair = tmp_path / "pairs.csv", (ROLES[0][0], ROLES[0][2])
    file.write_text(f"sentence1,sentence2\n{pair[0]},{pair[1]}\n", encoding="utf-8")
    for model, encoder in (("embedded", None), ("role-encoder", None), ("hybrid", "role-encoder")):
        nlp = Pipeline(model, encoder=encoder)
        name = f"{model}.jsonl"
        score_file(nlp, file, tmp_path / name, cache=tmp_path / "cache")
        row = json.loads((tmp_path / name).read_text(encoding="utf-8").splitlines()[0])
        assert row["score"] == pytest.approx(Pipeline(model, encoder=encoder).similarity(*pair))
    assert len([*(tmp_path / "cache").glob("*.sqlite")]) == 3
