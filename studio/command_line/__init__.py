"""What `manage.py` says of its commands: `help`, and completion for shells."""
