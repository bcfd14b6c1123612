"""The linter: deterministic findings about a tape, based on the tape and its context."""
