"""The tables of annotation."""
