"""The tables of library."""
