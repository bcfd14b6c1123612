"""Trees of tapes: partial dialogues that share their beginnings."""
