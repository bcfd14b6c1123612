"""Six companies with ten forms each, made from a vocabulary and a seed."""
