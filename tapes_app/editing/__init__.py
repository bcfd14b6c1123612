"""The editor of one tape: drafts, previews, children, forms of steps."""
