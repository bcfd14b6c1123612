"""The query language of the tapes list: text to conditions and back, independent of tables."""
