"""Tables of training, evaluation and tuning."""
