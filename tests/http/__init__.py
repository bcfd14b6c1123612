"""Tests of what must hold for every route, and helpers for tests over HTTP."""
