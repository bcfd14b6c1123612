"""Use cases of tapes."""
