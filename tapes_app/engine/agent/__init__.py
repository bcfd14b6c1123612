"""Agents: nodes and models put together, their turns, and what can be done with their tapes."""
