"""The tables of tapes."""
