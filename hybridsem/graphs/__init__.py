"""Metrics on whole AMR graphs; ``hybridsem.registry.named`` has them by name."""
