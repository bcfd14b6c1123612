"""What an attempt at an example is worth: scorers are data, and decide without a model.

The checks of Run N decide (`tapes_app.experiments.checks`). A scorer says which of them to ask,
and takes what is wanted from the example instead of from a person's form.
"""
