"""Use cases of this subject."""
