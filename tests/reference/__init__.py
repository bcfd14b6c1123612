"""What the unit tests of TapeAgents claim, told in our words; see docs/reference-differences.md."""
