"""Adapters for other libraries; ``Pipeline(encoder=)`` takes a SentenceTransformer itself."""
