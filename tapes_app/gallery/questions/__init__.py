"""Answers questions that take several documents and some computing (paper 4.2)."""
