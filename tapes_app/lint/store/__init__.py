"""The tables of lint."""
