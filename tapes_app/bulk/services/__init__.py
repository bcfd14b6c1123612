"""Use cases of bulk."""
