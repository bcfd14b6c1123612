"""Admin pages of the tape tables: permissions are edited here, recorded data is read-only."""

from tapes_app.admin import calls, findings, jobs, projects, tapes

__all__ = ["calls", "findings", "jobs", "projects", "tapes"]
