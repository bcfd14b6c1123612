"""Use cases: one module each, plain functions."""
