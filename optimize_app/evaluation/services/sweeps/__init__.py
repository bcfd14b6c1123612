"""Sweeps: starting, driving and ending them."""
