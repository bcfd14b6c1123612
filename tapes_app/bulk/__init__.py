"""Changing many tapes in the same way: tags, marks, transforms, datasets; and undoing that."""
