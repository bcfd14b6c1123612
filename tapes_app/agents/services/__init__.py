"""Use cases of agents."""
