"""What is installed: pinned with hashes, the same versions as elsewhere, listed for a release."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PINNED = re.compile(r"^([\w.-]+)==(\S+)(?: \\\n    --hash=sha256:[0-9a-f]{64})+$", re.MULTILINE)


def pinned() -> dict[str, str]:
    text = (ROOT / "requirements-core.txt").read_text(encoding="utf-8")
    assert text.count("==") == len(PINNED.findall(text))
    return dict(PINNED.findall(text))


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_core_is_pinned_with_hashes_to_the_versions_of_the_constraints() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {plain(re.split(r"[<>=\[]", needed)[0]) for needed in project["dependencies"]}
    assert names <= {plain(name) for name in pinned()}
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    versions = dict(line.split("==") for line in lines if "==" in line)
    constraints = {plain(name): version for name, version in versions.items()}
    for name, version in pinned().items():
        assert constraints[plain(name)] == version, name


def test_no_extra_allows_a_torch_whose_weights_only_can_be_passed_by() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = {**pyproject["project"]["optional-dependencies"], **pyproject["dependency-groups"]}
    bounds = [needed for extra in named.values() for needed in extra if needed.startswith("torch")]
    assert bounds
    for bound in bounds:
        major, minor = re.fullmatch(r"torch>=(\d+)\.(\d+)", bound).groups()  # type: ignore[union-attr]
        assert (int(major), int(minor)) >= (2, 6)  # CVE-2025-32434


def test_the_bill_of_materials_has_every_pin(tmp_path: Path) -> None:
    wheel = tmp_path / "hybridsem-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    out = tmp_path / "sbom.json"
    given = [ROOT / ".ci" / "sbom.py", ROOT / "requirements-core.txt", wheel, out]
    subprocess.run([sys.executable, *map(str, given)], check=True)
    bill = json.loads(out.read_text(encoding="utf-8"))
    assert {(each["name"], each["version"]) for each in bill["components"]} == {*pinned().items()}
    assert all(each["hashes"] for each in bill["components"])
    assert bill["metadata"]["component"]["version"] == "0.1.0"


def test_one_command_makes_the_pages_install_from_pypi(tmp_path: Path) -> None:
    pages = ("README.md", "docs/index.md", "docs/install.md")
    (tmp_path / "docs").mkdir()
    for page in pages:
        (tmp_path / page).write_bytes((ROOT / page).read_bytes())
    command = [sys.executable, str(ROOT / ".ci/published.py"), str(tmp_path)]
    subprocess.run(command, check=True)
    for page in pages:
        text = (tmp_path / page).read_text(encoding="utf-8")
        assert "pip install hybridsem" in text
        assert not re.search(r"pip install '?\.", text)
