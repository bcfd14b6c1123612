"""A tape about a tape: an agent that names a bad step of another agent's tape and rewrites it."""
