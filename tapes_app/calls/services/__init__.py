"""Use cases of calls."""
