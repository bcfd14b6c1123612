"""What an attempt at an example is worth: scorers are data, and decide without a model.

The checks of Run N decide (`tapes_app.experiments.domain.checks`). A scorer names the check to use,
and takes the expected value from the example instead of from a person's form.
"""
