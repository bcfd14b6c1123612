"""The judge of other agents' work: what it is asked, and the step that its verdict is."""
