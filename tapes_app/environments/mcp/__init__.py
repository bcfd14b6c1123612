"""Tools of MCP servers: which servers there are, which of their tools are allowed, and calls."""
