"""Use cases of library."""
