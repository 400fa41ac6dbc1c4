"""Benchmarks of structure: paraphrases, inference, minimal pairs, exchanged arguments."""
