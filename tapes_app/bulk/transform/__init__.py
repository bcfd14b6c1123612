"""Transforms: each returns edit operations for a tape, without changing anything itself."""
