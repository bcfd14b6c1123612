"""The trainer: a program over a run folder that knows no Django."""
