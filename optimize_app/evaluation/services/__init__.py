"""Use cases of evaluation: sweeps started, amended, worked on by a job, and reported."""
