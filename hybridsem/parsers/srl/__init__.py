"""Semantic roles: predicates, rolesets, arguments, learned from PropBank."""
