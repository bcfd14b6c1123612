"""Batches compared side by side, and tapes rerun into new batches."""
