"""The recipe of the pair reader."""
