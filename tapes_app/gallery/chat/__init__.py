"""A chat agent with a calculator and a unit converter."""
