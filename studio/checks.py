"""What `doctor` checks: each check reports a finding and what to do about it."""

import shutil
import socket
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Literal

from django.conf import settings
from django.db import DatabaseError, connection

from studio.celery import AGENTS_QUEUE, QUEUES
from studio.health import explain_broker, explain_database
from studio.instance_lock import is_held, read_address
from studio.logins import find_owner
from tapes_app.agents.domain.rows import ModelRow
from tapes_app.agents.services.llm_configs import load_config
from tapes_app.agents.services.plugins import list_plugin_problems
from tapes_app.agents.store.llm_models import list_models
from tapes_app.engine.errors import StudioError
from tapes_app.environments.needs import NEEDS
from tapes_app.jobs.services.listeners import Listening, tell_listening
from tapes_app.jobs.store.draining import list_drained
from tapes_app.jobs.store.workers import list_workers
from tapes_app.management.schema_level import count_missing, list_applied, refuse_newer
from tapes_app.projects.services.people import Person, identify
from tapes_app.sandbox import find_wall

_LITTLE_DISK_BYTES = 2 * 1024**3

State = Literal["ok", "warning", "failing"]


@dataclass(frozen=True)
class Finding:
    """The result of one check; `advice` is empty when there is nothing to do."""

    name: str
    state: State
    found: str
    advice: str = ""


def run_checks() -> list[Finding]:
    database = check_database()
    drained = list_drained() if database.state == "ok" else ()
    checks: list[Callable[[], Finding]] = [
        check_broker,
        partial(check_workers, drained),
        check_address,
        check_front_end,
        check_disk,
        check_plugins,
        check_wall,
        check_code,
        check_browser,
    ]
    if database.state == "ok":
        checks.append(check_model_keys)
    return [database, *(check() for check in checks)]


def check_database() -> Finding:
    vendor = "PostgreSQL" if connection.vendor == "postgresql" else "SQLite"
    problem = explain_database()
    if problem is not None:
        advice = "Start the database server in DATABASE_URL, or unset it to use SQLite."
        return Finding("database", "failing", f"{vendor} is not responding: {problem}", advice)
    try:
        applied = list_applied()
    except DatabaseError as error:
        return Finding(
            "database", "failing", str(error), "Grant the database user access to its tables."
        )
    try:
        refuse_newer(applied, "It")
    except StudioError as error:
        return Finding("database", "failing", f"{vendor} is up. {error.message}", "")
    missing = count_missing(applied)
    if missing:
        found = f"{vendor} is up; {missing} migrations are missing"
        return Finding("database", "failing", found, "Run `manage.py migrate` or `manage.py up`.")
    return Finding("database", "ok", f"{vendor} is up, schema up to date")


def check_broker() -> Finding:
    kind = "Redis" if settings.REDIS_URL else "folder"
    problem = explain_broker()
    if problem is None:
        return Finding("broker", "ok", f"{kind} accepts messages")
    advice = "Start the server in REDIS_URL, or unset it to use a folder."
    return Finding("broker", "failing", f"{kind}: {problem}", advice)


def check_workers(drained: Collection[str] = ()) -> Finding:
    """Check that a worker listens to every queue, and one that is not drained."""
    workers = list_workers()
    heard = tell_listening(QUEUES, workers)
    taking = tell_listening(QUEUES, [one for one in workers if one.name not in drained])
    unheard = [queue for queue in QUEUES if not heard[queue].is_heard]
    held = [queue for queue in QUEUES if heard[queue].is_heard and not taking[queue].is_heard]
    if unheard:
        found = f"no worker listens to {', '.join(_tell_last(heard[queue]) for queue in unheard)}"
        state: State = "failing" if AGENTS_QUEUE in unheard else "warning"
        advice = "Start the studio with `make run`; without workers, runs stay queued."
        return Finding("workers", state, found, advice)
    if held:
        found = f"every worker for {', '.join(held)} is drained"
        advice = "What is queued waits until one takes work again: `manage.py workers resume NAME`."
        return Finding("workers", "warning", found, advice)
    return Finding("workers", "ok", "a worker listens to every queue")


def _tell_last(listening: Listening) -> str:
    if listening.seconds_ago is None:
        return listening.queue
    return f"{listening.queue} (one did {listening.seconds_ago:.0f} s ago)"


def check_address() -> Finding:
    if is_held(settings.STUDIO_DATA_DIR):
        return Finding("web server", "ok", f"answers at {read_address()}")
    host, port = settings.STUDIO_HOST, settings.STUDIO_PORT
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        is_taken = probe.connect_ex((host, port)) == 0
    if is_taken:
        found = f"not running, and another program is using port {port}"
        return Finding("web server", "warning", found, "The studio will use the next free port.")
    advice = "Start the studio with `make run`."
    return Finding("web server", "warning", "not running", advice)


def check_front_end() -> Finding:
    if (settings.FRONTEND_DIST / "index.html").is_file():
        return Finding("front end", "ok", "built")
    return Finding("front end", "failing", "not built", "Run `make run`, which builds it.")


def check_disk() -> Finding:
    free = shutil.disk_usage(settings.STUDIO_DATA_DIR).free
    found = f"{free / 1024**3:.1f} GiB free in {settings.STUDIO_DATA_DIR}"
    if free < settings.STUDIO_SPARE_BYTES:
        return Finding("disk", "failing", found, "Free some space, or move the data folder.")
    if free < _LITTLE_DISK_BYTES:
        return Finding("disk", "warning", found, "Training needs several GiB.")
    return Finding("disk", "ok", found)


def check_plugins() -> Finding:
    problems = list_plugin_problems()
    if problems:
        found = "; ".join(f"{name}: {reason}" for name, reason in sorted(problems.items()))
        advice = "Fix the module or remove it from STUDIO_PLUGINS; the other plugins still work."
        return Finding("plugins", "failing", found, advice)
    return Finding("plugins", "ok", f"{len(settings.STUDIO_PLUGINS)} configured, all loaded")


def check_wall() -> Finding:
    """Check that scorer functions can be walled in."""
    wall = find_wall()
    if wall is not None:
        name = "Landlock" if wall == "landlock" else "a mount namespace"
        return Finding("wall", "ok", f"scorer functions are walled in by {name} and seccomp")
    found = "this system cannot wall scorer functions in"
    if settings.STUDIO_UNWALLED_FUNCTIONS:
        advice = "They run all the same, because STUDIO_UNWALLED_FUNCTIONS is set."
        return Finding("wall", "warning", found, advice)
    advice = "They are refused until the kernel has Landlock and seccomp, or user namespaces."
    return Finding("wall", "warning", found, advice)


def check_code() -> Finding:
    """Check that code of models can be interpreted."""
    return _tell_need("code")


def check_browser() -> Finding:
    """Check that agents can browse."""
    return _tell_need("browser")


def _tell_need(environment: str) -> Finding:
    readiness = NEEDS[environment].start()
    state: State = "ok" if readiness.is_ready else "warning"
    return Finding(environment, state, readiness.found, readiness.advice)


def check_model_keys() -> Finding:
    """Check the key of each model of the person who runs this install."""
    owner = find_owner()
    person = identify(owner) if owner else None
    rows = list_models(person.project_id) if person else []
    problems = [_explain_key(person, row) for row in rows if person]
    problems = [problem for problem in problems if problem]
    if problems:
        return Finding("model keys", "warning", f"{len(problems)} missing", " ".join(problems))
    if not rows:
        advice = "Add one under Models; until then, agents give scripted answers."
        return Finding("model keys", "ok", "no model is configured", advice)
    return Finding("model keys", "ok", f"{len(rows)} models are ready")


def _explain_key(person: Person, row: ModelRow) -> str:
    try:
        load_config(person.project_id, row)
    except StudioError as error:
        return error.message
    return ""
