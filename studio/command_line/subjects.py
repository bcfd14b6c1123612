"""The studio's commands, by subject, in the order in which people need them."""

from collections.abc import Iterator

from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand

OUR_APPS = frozenset({"studio", "tapes_app", "optimize_app"})

SUBJECTS = {
    "Start and keep": (
        "up",
        "work",
        "workers",
        "doctor",
        "login_link",
        "tokens",
        "retire_key",
        "backup",
        "restore",
        "prune",
    ),
    "Files in and out": (
        "import_tapes",
        "export_tapes",
        "export_project",
        "import_project",
        "export_answers",
        "load_sample",
    ),
    "Find tapes": ("list_tapes", "summarise_tapes", "lenses", "batches", "diff_tapes"),
    "Change many tapes": (
        "tag_tapes",
        "change_tapes",
        "transform_tapes",
        "rerun_tapes",
        "datasets",
        "step_kinds",
    ),
    "Run agents": (
        "run_agent",
        "run_n",
        "replay_tapes",
        "try_rules",
        "new_agent",
        "mcp",
        "documents",
    ),
    "Judge and annotate": (
        "judge_tapes",
        "annotations",
        "queues",
        "queue_tapes",
        "rubrics",
        "lint_tapes",
        "lint_rules",
    ),
    "Evaluate": (
        "evaluate",
        "amend_sweep",
        "pause_sweep",
        "export_sweep",
        "suites",
        "agents",
        "scorers",
        "score_sweep",
        "red_team",
        "make_problems",
    ),
    "Learn from tapes": (
        "make_training_set",
        "export_training_set",
        "make_base_model",
        "share_base_model",
        "finetune",
        "distill",
        "grow_tree",
        "form_study",
        "serve",
    ),
    "Inner workings": ("sweep", "export_protocol", "completion"),
}


def list_ours() -> list[str]:
    """Return the names of the studio's commands."""
    return sorted(name for name, app in get_commands().items() if app in OUR_APPS)


def list_others() -> list[str]:
    """Return the names of Django's commands, and those of its apps."""
    return sorted(name for name, app in get_commands().items() if app not in OUR_APPS)


def load_ours() -> Iterator[tuple[str, BaseCommand]]:
    """Yield the studio's commands with their names."""
    apps = get_commands()
    for name in list_ours():
        yield name, load_command_class(apps[name], name)
