"""Helpers without knowledge of language: files, downloads, services, stores, progress."""
