"""HTTP entry points of jobs."""
