"""The Python client of the studio."""
