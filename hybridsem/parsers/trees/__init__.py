"""Dependency trees, and the questions that parsers ask about them."""
