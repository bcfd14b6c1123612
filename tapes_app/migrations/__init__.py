"""Schema changes of the tape tables."""
