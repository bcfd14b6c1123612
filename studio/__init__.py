"""Composition: settings, addresses, sign-in, and the command that starts everything."""
