"""The tables of batches."""
