"""Runs: what is asked for, how a worker does it, and what people say during it."""
