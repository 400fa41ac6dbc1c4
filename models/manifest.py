"""Write ``hybridsem/data/manifest.json``: shipped files' sha256, verified when loaded."""

import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "hybridsem/data"

if __name__ == "__main__":
    files = sorted(
        path for path in FOLDER.iterdir() if path.name != "manifest.json" and path.suffix != ".toml"
    )
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    (FOLDER / "manifest.json").write_text(json.dumps(sums, indent=1) + "\n")
