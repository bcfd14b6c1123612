"""Frozen sets of examples to learn: chosen from tapes, split by task, hashed.

Modules outside api, services and store import neither Django nor torch; the trainer reads the same
`samples`. `optimize_app.base_models` finds base models and their tokenizers.
"""
