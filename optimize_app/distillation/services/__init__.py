"""Use cases of distillation: starting one, its job, and reading it."""
