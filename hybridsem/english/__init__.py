"""The package's knowledge of English outside its parsers: words, forms, sentences."""
