"""Dependency trees, and what is read off them for any formalism."""
