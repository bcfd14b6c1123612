"""The judge of other agents' work: its prompt, and the step that holds its verdict."""
