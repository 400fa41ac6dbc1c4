"""From rated pairs to a pipeline that scores as it learned: data, features, the file, the
explanations, the command.
"""

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn")

from support.commands import Run
from support.evaluated import part, written

from hybridsem import Pipeline
from hybridsem.batch.identity import maker_of
from hybridsem.combiners.hybrid import TERMS
from hybridsem.comparison.edits import CHARGED
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation import evaluated_model
from hybridsem.learned.combiner import LearnedCombiner
from hybridsem.learned.fitted import Weights
from hybridsem.structures import ParseFailure
from hybridsem.training import Trained, extract, rated, train

ANIMALS = ("dog", "cat", "horse", "bird")
VERBS = ("chased", "saw", "helped")


def sentences() -> list[tuple[str, str, float]]:
    """Pairs about animals, rated by a rule: the verb counts, then who does it, then to whom."""
    rows = []
    for i in range(60):
        verb, other = VERBS[i % 3], VERBS[(i // 3) % 3]
        one, two, three = ANIMALS[i % 4], ANIMALS[(i + 1 + i // 20) % 4], ANIMALS[(i // 7) % 4]
        rating = 0.1 + 0.5 * (verb == other) + 0.3 * (one == three) + 0.1 * (i % 2)
        end = "" if i % 2 else " in the garden"
        rows.append(
            (
                f"the {one} {verb} the {two} {i % 5 + 2} times",
                f"the {three} {other} the {two}{end}",
                rating,
            )
        )
    return rows


ROWS = sentences()
PAIRS = [(one, two) for one, two, _ in ROWS]
NEW = [
    ("The dog chased the cat.", "The cat chased the dog."),
    ("The dog chased the cat in the park.", "A horse did not see the bird."),
    ("Two birds sang.", "It rains."),
    ("The bird saw the horse.", "The bird saw the horse."),
    ("In short, yes.", "The dog saw 5 cats."),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights")


CASES = [
    ("hybrid-0.1", "linear"),
    ("hybrid", "ridge"),
    ("hybrid", "mlp:10"),
    ("hybrid", "boosting"),
    ("dependency-cn", "boosting"),
    ("amr-cn", "linear"),
    ("verbnet-cn", "mlp:none"),
]


@pytest.fixture(scope="module")
def fitted(folder: Path) -> dict[tuple[str, str], tuple[Trained, Path]]:
    found = {}
    for model, name in CASES:
        settings = (
            {"steps": 60, "members": 1} if name.startswith("mlp") else {"trees": 20, "members": 1}
        )
        how = {"split_by": "kfold", "folds": 3, "cap": 6, "settings": settings}
        trained = train(Pipeline(model), rated(ROWS), name, **how)
        file = folder / f"{model}.{name.replace(':', '-')}.json"
        trained.weights.save(file)
        found[model, name] = trained, file
    return found


@pytest.fixture(scope="module")
def learned(fitted: dict[tuple[str, str], tuple[Trained, Path]]) -> dict[tuple[str, str], Pipeline]:
    return {case: Pipeline(case[0], weights=file) for case, (_, file) in fitted.items()}


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_contributions_add_up_to_the_learned_score(case: tuple[str, str], learned: Any) -> None:
    nlp = learned[case]
    for one, two in NEW:
        there, back = nlp.explain(one, two), nlp.explain(two, one)
        assert math.fsum(m.contribution for m in there.matches) == pytest.approx(
            there.score, abs=1e-9
        )
        for m in there.matches:
            similarity = m.similarity if abs(m.similarity) > 1e-9 else 1.0
            assert m.weight * similarity == pytest.approx(m.contribution, abs=1e-9)
        assert there.score == pytest.approx(back.score, abs=1e-6)
        assert -1 <= there.score <= 1
        assert there.score == 1 or one != two
        assert "learned" in there.model
        assert str(there)
        assert there._repr_html_()


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_scores_are_the_regressors_predictions(
    case: tuple[str, str], fitted: Any, learned: Any
) -> None:
    trained, _ = fitted[case]
    features, X = extract(Pipeline(case[0]), PAIRS, cap=6)
    assert features == trained.weights.features
    explanations = learned[case].explain(PAIRS)
    expected = trained.weights.predict(X)
    assert [e.score for e in explanations] == pytest.approx(expected.tolist(), abs=1e-9)
    inside = np.abs(expected) < 1
    # The lines add up by themselves: nothing but the limits of a score is made to fit.
    assert not [
        e
        for e, ok in zip(explanations, inside, strict=True)
        if ok and "limit" in {m.term for m in e.matches}
    ]


def test_the_role_that_counts_has_the_weight(fitted: Any) -> None:
    weights = fitted["hybrid-0.1", "linear"][0].role_weights
    assert weights["Verb"][0] > weights["Agent"][0] + weights["Agent"][1]
    assert sum(value for value, _ in weights.values()) == pytest.approx(1)
    assert fitted["hybrid", "ridge"][0].role_weights == {}
    assert fitted["hybrid", "ridge"][0].importance["score"] > 0


def test_a_model_of_differences_has_a_feature_for_each_term() -> None:
    pairs = [("A red car passed a blue house.", "A blue car passed a red house."), PAIRS[0]]
    nlp = Pipeline()
    features, X = extract(nlp, pairs)
    row = dict(zip(features.names, X[0], strict=True))
    assert list(row)[:3] == ["score", "cosine", f"term:{TERMS[0]}"]
    assert {name.removeprefix("term:") for name in row if name.startswith("term:")} == set(TERMS)
    details = nlp.explain(*pairs[0]).details
    for term in CHARGED:
        assert row[f"term:{term}"] == pytest.approx(details.get(term, 0.0), abs=1e-6)
    assert row["term:governors exchanged, others"] > 0 == row["term:question"]
    assert len(set(features.names)) == len(features.names) == len(features.players) == X.shape[1]
    assert not np.isnan(X).any()
    with pytest.raises(InputError, match="'linear' weighs similarities of roles, and 'hybrid' has"):
        train(nlp, rated(ROWS), "linear")


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    contents = set()
    for _ in range(2):
        trained = train(Pipeline(), rated(ROWS), "mlp:10", settings={"steps": 20})
        trained.weights.save(tmp_path / "w.json")
        contents.add((tmp_path / "w.json").read_bytes())
    assert len(contents) == 1


def test_weights_know_the_content_of_files(tmp_path: Path) -> None:
    vectors, file = tmp_path / "glove.txt", tmp_path / "w.json"
    words = sorted({word.strip(".") for pair in PAIRS for text in pair for word in text.split()})
    for seed in (0, 1):
        rows = np.random.default_rng(seed).integers(100, 999, (len(words), 3)).tolist()
        lines = (" ".join(map(str, (word, *row))) for word, row in zip(words, rows, strict=True))
        vectors.write_text("\n".join(lines) + "\n")
        named = {"model": "verbnet-cn", "vectors": f"glove:{vectors}"}
        if not seed:
            train(Pipeline(**named), rated(ROWS), "ridge").weights.save(file)
            Pipeline(**named, weights=file)
    with pytest.raises(InputError, match="made for features of other files than"):
        Pipeline(**named, weights=file)


def half(sentences: list[str]) -> list[Any]:
    """What a parser gives that has no structure for some sentences."""
    found = Pipeline("verbnet-cn").parse(sentences)
    return [ParseFailure(one.text, "none") if "horse" in one.text else one for one in found]


def test_pairs_without_parse_are_left_out_and_have_no_score(tmp_path: Path) -> None:
    failed = sum("horse" in one + two for one, two in PAIRS)
    parts: dict[str, Any] = {"model": "verbnet-cn", "parser": part(parse=half)}
    trained = train(Pipeline(**parts), rated(ROWS), split_by="kfold", folds=3)
    assert f"{failed} pairs have a sentence without parse and are left out" in trained.notes
    assert trained.weights.training["pairs"] == 60 - failed
    assert np.isnan(trained.predicted).sum() == failed
    trained.weights.save(tmp_path / "w.json")
    nlp = Pipeline(**parts, weights=tmp_path / "w.json")
    scores = nlp.score([("A horse.", "A horse."), ("A dog sang.", "A cat sang.")], on_error="skip")
    assert np.isnan(scores).tolist() == [True, False]


@pytest.mark.parametrize(
    ("rows", "range_", "said"),
    [
        (ROWS[:9], None, "at least 10 rated pairs"),
        ([(a, b, 0.5) for a, b, _ in ROWS], None, "all 60 ratings are 0.5"),
        ([*ROWS, ("a", "b", 101.0)], None, "are not in a usual range"),
        ([*ROWS, ("a", "b", 1.5)], (0, 1), "a rating of 1.5 is outside the range from 0 to 1"),
        (ROWS, (1, 0), "the lower first"),
        ([*ROWS, ("a", "b", math.inf)], None, "pair 60: a rating is a finite number"),
        ([*ROWS, ("a", " ", 0.5)], None, "pair 60, sentence 2"),
    ],
)
def test_ratings_that_cannot_be_used(rows: list[Any], range_: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        rated(rows, range_)


def test_ratings_that_can() -> None:
    data = rated([*ROWS, ("a", "b", math.nan), (*PAIRS[0], 0.0), ("c", "d", None), ("e", "f", 5.0)])
    assert data.range == (0, 5)
    assert data.ratings.max() == 1
    assert data.rows.tolist() == [*range(60), 61, 63]
    assert data.notes == ("2 pairs have no rating and are left out",)
    assert rated([(a, b, 1 + 4 * r) for a, b, r in ROWS]).range == (1, 5)


@pytest.mark.parametrize("model", ["embedded", "jaccard", "amr-smatch"])
def test_models_without_roles_are_refused(model: str) -> None:
    with pytest.raises(InputError, match="no role weights to learn"):
        train(Pipeline(model), rated(ROWS))


def test_weights_are_for_the_parts_that_they_were_made_with(fitted: Any, tmp_path: Path) -> None:
    _, file = fitted["hybrid", "ridge"]
    assert isinstance(
        Pipeline(weights=file, encoder="embedded").combiner, LearnedCombiner
    )  # the default, named
    for parts in ({"model": "verbnet-cn"}, {"parser": "embedded"}):
        with pytest.raises(InputError, match="made for other features"):
            Pipeline(**parts, weights=file)
    with pytest.raises(InputError, match="has learned weights"):
        extract(Pipeline(weights=file), PAIRS)


def test_settings_name_the_file_and_its_hash(fitted: Any, tmp_path: Path) -> None:
    copy = tmp_path / "w.json"
    copy.write_bytes(fitted["hybrid", "ridge"][1].read_bytes())
    settings = Pipeline(weights=copy).settings
    assert settings["weights"].startswith(f"{copy},sha=")
    assert Pipeline(**settings).settings == settings
    assert (
        maker_of(Pipeline(weights=copy))().settings == settings
    )  # how other processes make theirs
    assert (
        evaluated_model(Pipeline(weights=copy)).describe()["learned weights"] == settings["weights"]
    )
    copy.write_bytes(fitted["hybrid", "boosting"][1].read_bytes())
    with pytest.raises(InputError, match="was changed since"):
        Pipeline(**settings)
    assert Pipeline(weights=copy).settings != settings


def changed(file: Path, **parts: Any) -> bytes:
    """The file with other parts, signed anew."""
    from hybridsem._utils.signed_json import digest

    content = {
        k: v for k, v in json.loads(file.read_bytes()).items() if k not in ("schema", "sha256")
    } | parts
    return json.dumps(
        {"schema": "hybridsem-weights/2", "sha256": digest(content), **content}
    ).encode()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            lambda f: b'{"schema": "hybridsem-weights/1"}',
            "weights/1'.*run `hybridsem train` again",
        ),
        (lambda f: f.read_bytes().replace(b"0.", b"1.", 1), "changed after it was written"),
        (
            lambda f: changed(f, model=LOOP),
            "come after their parent",
        ),
    ],
)
def test_a_file_that_is_something_else(
    fitted: Any, tmp_path: Path, content: Any, said: str
) -> None:
    file = tmp_path / "w.json"
    file.write_bytes(content(fitted["hybrid", "ridge"][1]))
    with pytest.raises(FormatError, match=said):
        Weights.read(file)


LOOP = {
    "type": "tree",
    "feature": [0, -1],
    "threshold": [0.5, 0],
    "missing_left": [True, True],
    "left": [0, 0],
    "right": [1, 0],
    "value": [0, 1],
}


def test_the_command(run: Run) -> None:
    rows = (f"{a},{b},{r}" for a, b, r in ROWS)
    written(Path("pairs.csv"), "s1,s2,score", *rows)
    command = "train pairs.csv -o w.json -s kfold --folds 3 --resamples 100 --yes -m verbnet-cn"
    done = run(f"{command} -r linear")
    for shown in ("all", "own score", "±", "█", "gain", "minimal pairs in order"):
        assert shown in done.out
    assert "weights written" in done.err
    again = run(f"{command} --json")
    assert (again.code, "--force replaces them" in again.err) == (1, True)
    [record] = run(f"{command} --json --force").objects
    assert record["probe"]["items"] == 20
    about = Weights.read("w.json").training
    assert about["probe"] == record["probe"]
    assert about["gain"] == record["gain"]
    assert record["training"]["pairs"] == 60
    assert record["spearman"]["all"]["learned"]["value"] == pytest.approx(
        record["training"]["held_out"]["spearman"], abs=1e-5
    )
    assert run("score pairs.csv -o scored.csv -m verbnet-cn --weights w.json -q").code == 0
    expected = Pipeline("verbnet-cn", weights="w.json").score(PAIRS)
    found = np.loadtxt("scored.csv", delimiter=",", skiprows=1, usecols=3)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    refused = run("similarity 'A dog ran.' 'A cat ran.' --weights w.json")
    assert (refused.code, "made for other features" in refused.err) == (1, True)


def test_the_command_on_the_release(run: Run) -> None:
    experiment = Path("release/Data-experiment")
    written(experiment / "STS3k_all.txt", *(f"{a};{b};{r:.2f}" for a, b, r in ROWS))
    written(experiment / "STS3k_non_adv_indices.txt", *map(str, range(30)))
    written(experiment / "STS3k_adv_noneg_indices.txt", *map(str, range(30, 55)))
    printed = run("train release -o w.json --resamples 0 -m verbnet-cn -s adversarial").out
    assert "25 pairs" in printed
    assert re.search(r"difference [+-]\d\.\d{3}, without an interval", printed)
    assert "non-adversarial" not in printed  # nothing of it was held out


def test_features_are_named_and_missing_roles_are_missing() -> None:
    features, X = extract(
        Pipeline("hybrid-0.1"),
        [("The dog sleeps.", "A dog sleeps in the park."), ("Two dogs ran.", "A dog ran.")],
    )
    assert features.names[:4] == ("score", "cosine", "similarity:Verb", "presence:Verb")
    row = dict(zip(features.names, X[0], strict=True))
    assert (row["similarity:Verb"], row["presence:Verb"]) == (1, 1)
    assert math.isnan(row["similarity:Location"])
    assert (row["presence:Location"], row["presence:Patient"]) == (0.5, 0)
    assert (row["numbers"], X[1, features.names.index("numbers")]) == (0, 1)
    assert row["unmatched"] > 0
    assert len(set(features.names)) == len(features.names) == len(features.players) == X.shape[1]


def test_weights_without_a_parser_are_for_that_of_0_1_0(fitted: Any, tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_bytes(changed(fitted["hybrid", "ridge"][1], pipeline={"model": "hybrid"}))
    with pytest.raises(InputError, match="parser='embedded' and not 'verbnet'"):
        Pipeline(weights=old)
    assert isinstance(Pipeline(parser="embedded", weights=old).combiner, LearnedCombiner)
