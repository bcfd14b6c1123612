"""Runs: what is requested, how a worker executes it, and what people do during it."""
