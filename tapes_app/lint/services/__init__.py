"""Use cases of lint."""
