"""Use cases of editing."""
