"""Tapes, their steps, and what is computed from them."""
