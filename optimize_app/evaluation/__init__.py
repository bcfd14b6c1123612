"""Evaluation: sweeps of agents over tasks, and what their scores do and do not show."""
