"""Use cases of experiments."""
