"""The tables of bulk."""
