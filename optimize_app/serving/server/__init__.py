"""The server: a program over a folder that answers chat completions with a base and its adapters.

It knows no Django. `docs/training.md` describes the folder; `config.py` says what can be set.
"""
