"""Use cases of authoring."""
