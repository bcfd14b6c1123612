"""Admin pages of the tape tables: who may do what is edited here, recorded data only read."""

from tapes_app.admin import calls, findings, jobs, projects, tapes

__all__ = ["calls", "findings", "jobs", "projects", "tapes"]
