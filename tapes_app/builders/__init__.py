"""Low-code ways to build agents from the engine."""
