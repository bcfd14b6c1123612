"""Tables and folders of served models."""
