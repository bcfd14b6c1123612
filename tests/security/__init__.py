"""A whole studio, attacked from outside."""
