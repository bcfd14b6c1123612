"""Agents and their versions, the LLM models that they use, and plugins."""
