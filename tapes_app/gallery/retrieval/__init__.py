"""Answers questions from documents of an invented town, and names document and page."""
