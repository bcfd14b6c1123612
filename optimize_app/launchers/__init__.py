"""Launchers: how a heavy program is started, looked at and ended, here or on a cluster.

They know four verbs and nothing of jobs: what a job is, and how it ended, the jobs table says.
"""
