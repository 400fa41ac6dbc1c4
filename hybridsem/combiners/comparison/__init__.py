"""The comparison of two sentences word by word and relation by relation: what differs in meaning.

reading      what is compared of a sentence: its words with what governs them, its function words
alignment    which words of two sentences stand for each other, and how the two are related
differences  what the alignment shows: exchanged roles, opposed words, other numbers, …
"""
