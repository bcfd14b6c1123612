"""Agents and their versions, the LLM models that they ask, and plugins."""
