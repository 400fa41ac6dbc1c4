"""The libraries that are tested here tell nobody that they were used."""

from __future__ import annotations

import os

os.environ |= {
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING": "false",
}
