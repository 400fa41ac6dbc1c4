"""A pipeline, and an index, over HTTP: ``hybridsem serve``."""

from hybridsem.serve.app import Limits, application

__all__ = ["Limits", "application"]
