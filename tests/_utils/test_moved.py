"""Names of version 0.1.0 that stand elsewhere now: they import, with a warning."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from hybridsem._utils.moved import MOVED, find_moved_modules, moved_names

# What README.md and docs/ of version 0.1.0 told people to import.
DOCUMENTED = {
    "hybridsem": ("Pipeline",),
    "hybridsem.amr": ("AmrGraph",),
    "hybridsem.batch": ("score_file",),
    "hybridsem.documents": ("DocumentScorer",),
    "hybridsem.evaluation": ("Measured", "Task", "evaluate", "similarities_file", "statistics"),
    "hybridsem.evaluation.compare": ("compare",),
    "hybridsem.evaluation.semantic_roles": ("compare",),
    "hybridsem.evaluation.setops.roles": ("role_sets",),
    "hybridsem.evaluation.tables": ("LAYOUTS",),
    "hybridsem.graphs.combiner": ("SmatchMetric",),
    "hybridsem.graphs.corpus": ("compare_graphs",),
    "hybridsem.interop.sentence_transformers": ("as_sentence_transformer",),
    "hybridsem.interop.sklearn": ("SentenceVectors",),
    "hybridsem.parsers.penman": ("read_graphs", "write_graphs"),
    "hybridsem.parsers.propbank": ("read_propbank",),
    "hybridsem.perturbations": ("PERTURBATIONS", "RETRIEVAL", "insertion"),
    "hybridsem.render": ("as_page", "as_terminal", "as_text"),
    "hybridsem.training": ("RoleRidge", "rated", "train"),
    "hybridsem.training.finetune": ("FineTuning", "fine_tune", "held_out_cosines"),
}

IMPORTING = """
import importlib, json, sys, warnings
told = {}
for old in json.load(sys.stdin):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        module = importlib.import_module(f"hybridsem.{old}")
    moved = [str(w.message) for w in caught if w.category is DeprecationWarning]
    told[old] = [module.__name__, [one for one in moved if one.startswith(f"hybridsem.{old} ")]]
    assert module is importlib.import_module(module.__name__)
    assert module is sys.modules[f"hybridsem.{old}"]
print(json.dumps(told))
"""


def test_old_modules_are_the_new_ones_and_say_so() -> None:
    """In a process of its own, where none of them has been imported."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING],
        input=json.dumps(list(MOVED)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    expected = {
        old: [f"hybridsem.{new}", [f"hybridsem.{old} has moved; import hybridsem.{new}"]]
        for old, new in MOVED.items()
    }
    assert json.loads(done.stdout) == expected


@pytest.mark.parametrize("new", sorted(set(MOVED.values())))
def test_the_new_place_is_there_and_did_not_move_itself(new: str) -> None:
    assert new not in MOVED
    spec = find_spec(f"hybridsem.{new}")
    assert spec is not None
    assert spec.origin is not None


def test_a_module_that_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"hybridsem\.parsers\.penmen"):
        import_module("hybridsem.parsers.penmen")


def test_the_finder_is_there_once() -> None:
    before = list(sys.meta_path)
    find_moved_modules()
    assert sys.meta_path == before


def test_explanations_have_left_structures() -> None:
    from hybridsem import explanations, structures

    for name in ("Explanation", "RoleMatch"):
        told = rf"hybridsem\.structures\.{name} has moved; import hybridsem\.explanations\.{name}"
        with pytest.warns(DeprecationWarning, match=told) as caught:
            assert getattr(structures, name) is getattr(explanations, name)
        assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("module", "name", "home", "new"),
    [
        ("combiners", "covered", "combiners.roles", "covered"),
        ("combiners", "row_cosines", "combiners.base", "row_cosines"),
        ("combiners.role_swaps", "FusionConstants", "combiners.role_swaps", "RoleSwapConstants"),
        ("combiners.role_swaps", "HybridCombiner", "combiners.role_swaps", "RoleSwapCombiner"),
        ("evaluation.model", "Subject", "evaluation.model", "EvaluatedModel"),
        ("evaluation.model", "subject", "evaluation.model", "evaluated_model"),
        ("evaluation.sts.pair_types", "RELEASE_TYPES", "datasets.pair_types", "RELEASE_TYPES"),
        ("evaluation.sts.pair_types", "read_types", "datasets.pair_types", "read_types"),
        ("evaluation.task", "Together", "evaluation.task", "CardComparison"),
    ],
)
def test_names_that_moved_import_with_a_warning(
    module: str, name: str, home: str, new: str
) -> None:
    told = rf"hybridsem\.{re.escape(module)}\.{name} has moved; import hybridsem\.{home}\.{new}$"
    with pytest.warns(DeprecationWarning, match=told):
        moved = getattr(import_module(f"hybridsem.{module}"), name)
    assert moved is getattr(import_module(f"hybridsem.{home}"), new)


def test_names_that_did_not_move_are_refused() -> None:
    get = moved_names("hybridsem.there", {"sqrt": "math"})
    with pytest.warns(DeprecationWarning, match=r"hybridsem\.there\.sqrt has moved; import math"):
        assert get("sqrt")(4) == 2
    with pytest.raises(AttributeError, match=r"'hybridsem\.there' has no attribute 'root'"):
        get("root")


@pytest.mark.filterwarnings("ignore:hybridsem.* has moved:DeprecationWarning")
@pytest.mark.parametrize("module", DOCUMENTED)
def test_what_was_documented_still_imports(module: str) -> None:
    for name in DOCUMENTED[module]:
        assert hasattr(import_module(module), name), name
