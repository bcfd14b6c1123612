"""Scoring attempts: now or in a job, by code or by a judge."""
