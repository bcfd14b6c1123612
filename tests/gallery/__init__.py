"""Tests of gallery."""
