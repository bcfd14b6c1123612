"""Changing many tapes alike: tags, marks, transforms, datasets; and taking that back."""
