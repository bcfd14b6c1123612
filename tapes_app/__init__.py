"""Agents, tapes, LLM calls, runs, editing and browsing."""
