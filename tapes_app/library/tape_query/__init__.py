"""The language of the tapes list: text to conditions and back; it knows no tables."""
