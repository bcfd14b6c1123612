"""Finetunes: jobs that prepare a run folder, start the trainer on it, watch and stop it.

`trainer/` is the program itself; it does not import Django.
"""
