"""The linter: deterministic findings about a tape, from the tape and what is known around it."""
