"""The only code of this subject that touches its tables and files."""
