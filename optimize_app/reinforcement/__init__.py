"""Reinforcement learning on groups of attempts with rewards."""
