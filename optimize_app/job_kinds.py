"""The training jobs a worker can do: importing this module registers every job kind of this app."""

from optimize_app.case_study.services import study_jobs
from optimize_app.distillation.services import distillation_jobs
from optimize_app.evaluation.services.scoring import scoring_jobs
from optimize_app.evaluation.services.sweeps import sweep_jobs
from optimize_app.finetune.services import base_jobs, finetune_jobs
from optimize_app.serving.services import serve_jobs
from optimize_app.training_sets.services import set_jobs

__all__ = [
    "base_jobs",
    "distillation_jobs",
    "finetune_jobs",
    "scoring_jobs",
    "serve_jobs",
    "set_jobs",
    "study_jobs",
    "sweep_jobs",
]
