"""What a model is shown of a tape, and how its answers become steps."""
