"""Tokenisers: the embedded encoder's word pieces, OpenAI's cl100k, the spelling of rare signs."""
