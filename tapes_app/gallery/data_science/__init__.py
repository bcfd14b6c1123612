"""A team that plans, writes code, runs it and reports (paper 4.3)."""
