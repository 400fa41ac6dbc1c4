"""Learned weights in use, with numpy only; ``hybridsem.training`` fits them with scikit-learn."""
