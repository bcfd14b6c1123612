"""Which job the code that runs is about, for lines of the log."""

from contextvars import ContextVar

current_job: ContextVar[str] = ContextVar("current_job", default="")
"""The job's id; empty where it is about none."""
