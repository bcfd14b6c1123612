"""Tests of what holds for every route, and what tests over HTTP share."""
