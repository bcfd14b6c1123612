"""Serving base models with adapters behind an OpenAI-compatible endpoint; a program of its own."""
