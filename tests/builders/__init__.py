"""Rows and nodes that many tests begin with."""
