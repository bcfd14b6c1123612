"""The job that the running code works on, for log lines."""

from contextvars import ContextVar

current_job: ContextVar[str] = ContextVar("current_job", default="")
"""The job's id; empty outside a job."""
