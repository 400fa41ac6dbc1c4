"""SAGE: do similarities of documents agree with people, and survive changes of the documents?
(Goel, Lee & Ramchandran 2025.) ``overall.py`` has all parts and their mean.
"""
