"""Launchers: how a heavy program is started, polled and ended, here or on a cluster.

They have four operations and know nothing of jobs: the state and end of a job are in the jobs
table.
"""
