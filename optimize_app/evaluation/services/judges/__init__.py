"""Judges, their verdicts, and how well these agree with people."""
