"""The software bill of materials of requirements-core.txt and the wheel, as CycloneDX JSON."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

HASHES = r"((?:\s*\\\n\s+--hash=sha256:[0-9a-f]{64})+)"
PIN = re.compile(r"^([\w.-]+)==([^\s\\;]+)" + HASHES, re.MULTILINE)


def components(requirements: str) -> list[dict[str, Any]]:
    """The pinned packages with the hashes of their wheels."""
    return [
        {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name.lower().replace('_', '-')}@{version}",
            "hashes": [
                {"alg": "SHA-256", "content": each}
                for each in re.findall(r"sha256:([0-9a-f]{64})", hashes)
            ],
        }
        for name, version, hashes in PIN.findall(requirements)
    ]


def main(requirements: str, wheel: str, out: str) -> None:
    """Write the file."""
    name, version = Path(wheel).name.split("-")[:2]
    content = hashlib.sha256(Path(wheel).read_bytes()).hexdigest()
    about = {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "hashes": [{"alg": "SHA-256", "content": content}],
    }
    found = components(Path(requirements).read_text(encoding="utf-8"))
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": about},
        "components": found,
    }
    Path(out).write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
