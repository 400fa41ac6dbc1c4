"""A pipeline, and an index, over HTTP: ``hybridsem serve``."""

from hybridsem.serve.app import application
from hybridsem.serve.requests import Limits

__all__ = ["Limits", "application"]
