"""The comparison of two sentences word by word and relation by relation: what differs in meaning.

sentence     what is compared of a sentence: its words with what governs them, its function words
reading      how that is read of a structure
alignment    which words of two sentences stand for each other, and how the two are related
differences  the edits that the alignment shows: exchanged roles, opposed words, other numbers, …
"""
