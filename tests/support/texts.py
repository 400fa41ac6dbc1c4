"""Texts that no parser was made for."""

ODD = [
    "🙂",
    "👩‍👩‍👧 ran to 🏠!",
    "שלום עולם, this is mixed",
    "\u202eright to left\u202c and back",
    "مرحبا بالعالم",
    "\x00\x01 a \x02 b",
    "tab\tand\nnewline",
    "e\u0301\u0301\u0301",
    "\u0301",
    "한국 " * 80,
    "." * 400,
    "((((()))))",
    "x" * 3000,
    "word " * 10_000,
    "A\u2800B",
    "ﬁnance ½ ㎏ Ⅷ",
    "İstanbul'da DŽ ß",
    "_ __ ___ # 1-2",
]
