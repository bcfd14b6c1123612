"""The tables of authoring."""
