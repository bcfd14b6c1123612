"""Stored tapes: steps, calls, edits, families, and the difference of two tapes."""
