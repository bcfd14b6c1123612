"""Finetunes: jobs that prepare a run folder, start the trainer over it, watch and stop it.

`trainer/` is the program itself; it knows no Django.
"""
