"""``python -m hybridsem`` is the ``hybridsem`` command."""

from __future__ import annotations

import sys

from hybridsem.cli import main

sys.exit(main())
