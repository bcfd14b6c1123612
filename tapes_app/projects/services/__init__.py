"""Use cases of projects."""
