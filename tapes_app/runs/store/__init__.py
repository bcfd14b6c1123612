"""The tables of runs."""
