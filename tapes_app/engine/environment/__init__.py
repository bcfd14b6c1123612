"""Environments: what answers the actions of a tape."""
