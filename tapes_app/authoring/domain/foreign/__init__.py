"""Agents that were written for other frameworks, read as data: nothing of a file is executed."""
