"""Structures from files, services and other libraries' models."""
