"""Writing agents: the draft of an agent that a project's people share, and what is made of it."""
