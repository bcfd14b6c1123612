"""Serving base models with adapters behind an OpenAI-compatible endpoint, as a separate program."""
