"""Distillation: a student learns from a teacher's answers in the states the student reaches."""
