"""Commands of training."""
