"""The tables of exchange."""
