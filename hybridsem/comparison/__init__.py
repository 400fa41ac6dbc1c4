"""The comparison of two sentences word by word and relation by relation: what differs in meaning.

sentence         a sentence as it is compared: words, their governors, function words
reading          reads that from a structure, with ``features`` and ``attachments``
alignment        aligns the words of two sentences
sentence_pair    two aligned sentences and the edits found so far
argument_names   maps the arguments of converse and symmetric predicates
differences      runs the collectors of edits:
  order          words in another order (``order``)
  relations      other governors, roles and prepositions (``relations``, ``flows``)
  function_words negation, modality, quantity, conjunctions, particles
  words          unlike partners, numbers, words without a partner
"""
