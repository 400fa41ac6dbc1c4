"""What tests share: generated structures, tiny models, local servers."""
