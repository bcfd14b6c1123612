"""A financial analyst with a search helper (SPEC EX1)."""
