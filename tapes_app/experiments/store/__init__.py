"""The tables of experiments."""
