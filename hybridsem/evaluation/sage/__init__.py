"""SAGE: similarities of documents, people, and changed documents (Goel, Lee & Ramchandran 2025)."""
