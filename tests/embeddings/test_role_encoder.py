"""The encoder whose vector tells who did what to whom: beside the plain one, which stays as it is,
and in its place.
"""

import numpy as np
import pytest
from support.generated import some_sentences

from hybridsem import Pipeline
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.role_encoder import RoleEncoder
from hybridsem.errors import UnknownNameError
from hybridsem.evaluation import evaluated_model

SENTENCES = [*some_sentences(60), "🙂", "word " * 300, "恨", "."]

# Written for these tests: a sentence, what means the same, and what has other roles.
ROLES = [
    tuple(f"{part}." for part in line.strip(".").split(". "))
    for line in (
        "The nurse thanked the plumber. The plumber was thanked by the nurse. "
        "The plumber thanked the nurse.",
        "A goose chased the postman across the yard. The postman was chased across the yard by a "
        "goose. The postman chased a goose across the yard.",
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
    assert ours[0] - ours[1] > plain[0] - plain[1]


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
