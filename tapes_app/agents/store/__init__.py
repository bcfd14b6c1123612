"""The tables of agents."""
