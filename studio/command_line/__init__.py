"""What `manage.py` shows about its commands: `help`, and completion for shells."""
