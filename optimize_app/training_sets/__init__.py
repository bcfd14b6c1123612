"""Frozen sets of examples to learn: chosen from tapes, split by task, hashed.

What lies beside api, services and store knows neither Django nor torch; the trainer reads the
same `samples`. Base models and their tokenizers are found by `optimize_app.base_models`.
"""
