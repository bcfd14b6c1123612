"""The tables of jobs."""
