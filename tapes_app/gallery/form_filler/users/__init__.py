"""Simulated users of forms: nineteen behaviours, two sets of phrases, and what each turn meant."""
