"""LLMs behind one protocol: litellm, recorded, scripted."""
