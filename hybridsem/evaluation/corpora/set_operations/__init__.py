"""Samples of set operations on sentences, made by a fuser: by trees or by a chat model."""
