"""Values and decisions: no Django, no tables."""
