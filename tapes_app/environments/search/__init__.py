"""Documents of a folder as text, searched and read by agents."""
