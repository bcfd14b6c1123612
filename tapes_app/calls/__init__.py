"""LLM calls: the inspector, changes between prompts, the playground."""
