"""Jobs: claim, lease, fence, event log and sweeper."""
