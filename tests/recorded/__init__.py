"""Small recordings of our own, in the layout and the formats of the TapeAgents examples."""
