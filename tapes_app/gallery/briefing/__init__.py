"""Three members look something up at once, and a chair sums up what they found."""
