"""Use cases of evaluation: starting and amending sweeps, the job of a sweep, and its report."""
