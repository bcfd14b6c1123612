"""The tables of editing."""
