"""Use cases of optimizing: one module each."""
