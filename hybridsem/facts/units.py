def is_unit(w): return False
