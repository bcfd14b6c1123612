"""Celery imports this module, so that workers learn which kinds of jobs this app has."""

from optimize_app import job_kinds  # noqa: F401 - registers what a worker can do
