"""Makers of data for measuring and training: analogies, set operations."""
