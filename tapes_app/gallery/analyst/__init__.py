"""A financial analyst with a search helper."""
