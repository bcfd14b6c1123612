"""Does tasks on the pages of a small service desk, in a browser or on text (paper 4.2)."""
