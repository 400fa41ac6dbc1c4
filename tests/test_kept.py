"""Damaged files of the program itself give the same results or an error.

``HYBRIDSEM_FUZZ=3000`` damages as many; benchmarks/soak.py does the same for hours.
"""

import os
import random
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from click import ClickException
from support.damage import damage_a_file
from support.kept import KEPT
from support.made_up import HOSTILE, hostile, make

from hybridsem.errors import HybridSemError

pytestmark = pytest.mark.slow
SEEDS = int(os.environ.get("HYBRIDSEM_FUZZ", 20))


@pytest.mark.parametrize("name", KEPT)
def test_damaged_files_are_refused_or_give_the_same(name: str, tmp_path: Path) -> None:
    whole, copy = tmp_path / "whole", tmp_path / "copies" / "copy"
    whole.mkdir()
    KEPT[name].make(whole)
    shutil.copytree(whole, copy)
    sound = KEPT[name].use(copy)
    for seed in range(SEEDS):
        shutil.rmtree(copy)
        shutil.copytree(whole, copy)
        what = damage_a_file(copy, random.Random(seed))
        with suppress(HybridSemError):
            assert KEPT[name].use(copy) == sound, f"seed {seed}: {what}"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    make(folder)
    shutil.copyfile(folder / "card.json", folder / "sound.json")
    return folder


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_somebody_made_up_is_refused_or_gives_scores(name: str, sound: Path) -> None:
    content = (sound / name).read_bytes()
    HOSTILE[name](sound / name)
    for seed in range(SEEDS):
        (sound / name).write_bytes(hostile(content, random.Random(seed)))
        with suppress(HybridSemError, ClickException):
            HOSTILE[name](sound / name)
