"""The only code that reads and writes tape tables."""
