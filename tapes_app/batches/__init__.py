"""Batches side by side, and tapes run again into new ones."""
