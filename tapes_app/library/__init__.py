"""The list of tapes: queries, facets, search, lenses, selections."""
