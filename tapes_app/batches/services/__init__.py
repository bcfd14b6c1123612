"""Use cases of batches."""
