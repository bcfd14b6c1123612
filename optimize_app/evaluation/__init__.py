"""Evaluation: sweeps of agents over tasks, with what their scores show and what they do not."""
