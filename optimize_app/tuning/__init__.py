"""Search over prompts: instructions and demos that score better."""
