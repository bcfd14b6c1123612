"""Evaluation sweeps: agents over datasets, with metrics and intervals."""
