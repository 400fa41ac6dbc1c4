"""Adapters for other libraries. Their encoders need none: ``Pipeline(encoder=)`` takes a
SentenceTransformer or a model of MTEB.
"""
