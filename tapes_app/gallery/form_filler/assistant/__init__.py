"""The assistant: its teacher with seven nodes, its student with three, and their prompts."""
