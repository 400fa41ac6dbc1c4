"""The comparison of two sentences word by word and relation by relation: their differences.

sentence         a sentence as it is compared and judged: words, governors, marks, canonical tree
reading          reads that from a structure, with ``features`` and ``attachments``
alignment        aligns the words of two sentences
pair             two aligned sentences, and the draft of the edits between them
argument_names   maps the arguments of converse and symmetric predicates
differences      the edits of each kind, from ``order``, ``relations``, ``flows``,
                 ``function_words`` and ``words``
edits            an edit, and the table of its kinds
logic            relations of natural logic, their projection through contexts, their join
spelling         edits in words, as written in each sentence
"""
