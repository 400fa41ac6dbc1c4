"""Set-theoretic compositionality: six criteria for the vectors of overlap, difference and union."""
