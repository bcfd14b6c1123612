"""Frozen sets of examples to learn: chosen from tapes, split by task, hashed.

`samples` and `splitting` know neither Django nor torch; the trainer reads the same `samples`.
"""
