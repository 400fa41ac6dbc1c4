"""Structures that were made elsewhere: files, services, other libraries' models."""
