"""Changing many tapes alike: a transform makes edit operations of a tape, and changes nothing."""
