"""Sentence similarity against human ratings."""

from __future__ import annotations
