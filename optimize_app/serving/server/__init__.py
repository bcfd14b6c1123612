"""The server: a program over a folder that answers chat completions with a base and its adapters.

It does not import Django. `docs/training.md` describes the folder, `config.py` the settings.
"""
