"""Pinned suites, regression tests, and what may be published."""
