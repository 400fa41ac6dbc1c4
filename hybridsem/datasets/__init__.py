"""Read and check data sets; ``hybridsem.evaluation`` measures models on them."""
