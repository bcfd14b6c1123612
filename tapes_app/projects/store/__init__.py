"""The tables of projects."""
