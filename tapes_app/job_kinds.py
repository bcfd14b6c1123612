"""Everything that a worker can do: importing this registers all kinds of jobs and run listeners."""

from tapes_app.batches.services import rerun_jobs
from tapes_app.bulk.services import transform_jobs
from tapes_app.calls.services import playground
from tapes_app.exchange.services import example_imports, export_jobs, imports
from tapes_app.experiments.services import branch_outcomes
from tapes_app.lint.services import jobs as lint_jobs
from tapes_app.runs.services import environment_checks, execution

__all__ = [
    "branch_outcomes",
    "environment_checks",
    "example_imports",
    "execution",
    "export_jobs",
    "imports",
    "lint_jobs",
    "playground",
    "rerun_jobs",
    "transform_jobs",
]
