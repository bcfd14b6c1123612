"""What answers the actions of agents."""
