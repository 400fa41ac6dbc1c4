"""Parsers: sentences to trees, role structures and graphs."""
