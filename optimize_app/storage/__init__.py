"""The only code that touches the tables of optimizing."""
