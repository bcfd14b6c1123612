"""Frozen sets of training texts: chosen from tapes, split, hashed and exported."""
