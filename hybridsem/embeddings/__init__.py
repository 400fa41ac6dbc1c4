"""Sentence encoders and word vectors."""
