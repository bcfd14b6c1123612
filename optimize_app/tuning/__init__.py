"""Search over prompts and demos: pure."""
