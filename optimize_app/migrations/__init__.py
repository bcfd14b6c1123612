"""Schema changes of the optimizing tables."""
