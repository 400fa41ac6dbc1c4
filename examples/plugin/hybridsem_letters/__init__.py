"""A plugin for hybridsem: an encoder that counts letters, and a benchmark."""
