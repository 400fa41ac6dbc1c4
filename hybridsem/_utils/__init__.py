"""Helpers that know nothing of language: files, downloads, services, stores, progress."""
