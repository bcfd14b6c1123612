"""Distillation: a student that learns from what a teacher answers in the states it comes to."""
