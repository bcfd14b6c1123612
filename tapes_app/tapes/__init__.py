"""Tapes as they are stored: steps, calls, edits, families, and the diff of two."""
