"""Use cases of exchange."""
