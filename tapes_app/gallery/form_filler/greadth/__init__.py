"""GREADTH: six criteria for a turn of the assistant, judged by rules (paper 5.2)."""
