"""Metrics and statistics over tapes: pure."""
