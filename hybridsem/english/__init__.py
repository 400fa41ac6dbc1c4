"""What the program knows of English beside its parsers: words, forms, sentences."""
