"""Serving: servers as jobs, models in the project's list, the comparison with the teacher."""
