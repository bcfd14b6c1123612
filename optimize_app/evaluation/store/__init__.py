"""The only code of evaluation that touches tables."""
