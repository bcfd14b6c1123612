"""All HTTP routes of training and evaluation, which `studio.api` mounts."""

from ninja import Router

from optimize_app.case_study.api import routers as case_study
from optimize_app.distillation.api import routers as distillation
from optimize_app.evaluation.api import routers as evaluation
from optimize_app.finetune.api import routers as finetune
from optimize_app.serving.api import routers as serving
from optimize_app.training_sets.api import routers as training_sets

routers: list[tuple[str, Router]] = [
    *training_sets,
    *finetune,
    *serving,
    *distillation,
    *evaluation,
    *case_study,
]
