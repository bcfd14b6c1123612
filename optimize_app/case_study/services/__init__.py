"""Use cases of the case study."""
