"""Use cases of annotation."""
