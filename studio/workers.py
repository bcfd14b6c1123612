"""Workers: how each is started, and those of a machine that only runs workers."""

import logging
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence

from django.conf import settings

from studio.celery import AGENTS_QUEUE, SERVE_QUEUE, TRAIN_QUEUE, app
from studio.children import Child, ChildSpec, load_ahead, stop_children
from studio.env import visible_gpus
from tapes_app.jobs.domain.stop_request import StopRequest

logger = logging.getLogger(__name__)

_POLL_SECONDS = 0.2
_PATIENCE_SECONDS = 30.0


def worker_arguments(*queues: str, name: str = "") -> list[str]:
    """Return the arguments of `celery -A studio.celery` that start a worker.

    One thread more than queues is enough: each hosts all the jobs of a queue in one event loop, and
    the last one takes the notifications that arrive meanwhile.
    """
    arguments = ["-q", "worker", "-Q", ",".join(queues), "-P", settings.STUDIO_WORKER_POOL]
    arguments += ["-c", str(len(queues) + 1), "-n", f"{name or queues[0]}-{os.getpid()}@%h"]
    return [*arguments, "--without-gossip", "--without-mingle", "-l", "WARNING"]


def agents_worker() -> ChildSpec:
    """Return the worker that runs agents, imports and exports."""
    return make_worker(AGENTS_QUEUE)


def make_worker(*queues: str, name: str = "", **variables: str) -> ChildSpec:
    arguments = worker_arguments(*queues, name=name)
    return ChildSpec(f"worker {name or queues[0]}", work, (arguments,), variables)


def work(arguments: list[str]) -> None:
    """Be a worker until SIGTERM."""
    app.worker_main(arguments)


def list_training_workers(*, serves: bool) -> list[ChildSpec]:
    """Return the workers that train: one for each GPU or group of GPUs, or one without any.

    With `serves`, the first one also serves models.
    """
    groups = group_gpus(list_gpus(), settings.STUDIO_GPUS_PER_WORKER)
    workers = []
    for number, gpus in enumerate(groups or [()]):
        queues = (TRAIN_QUEUE, SERVE_QUEUE) if serves and number == 0 else (TRAIN_QUEUE,)
        name = f"{TRAIN_QUEUE}-{'-'.join(gpus)}" if gpus else TRAIN_QUEUE
        variables = {"CUDA_VISIBLE_DEVICES": ",".join(gpus)} if gpus else {}
        workers.append(make_worker(*queues, name=name, **variables))
    return workers


def list_gpus() -> tuple[str, ...]:
    """Return the GPUs of this machine by their CUDA names, or those assigned to this process."""
    listed = visible_gpus()
    if listed is not None:
        return listed
    if shutil.which("nvidia-smi") is None:
        return ()
    try:
        asked = subprocess.run(
            ["nvidia-smi", "--query-gpu=index", "--format=csv,noheader"],  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
            timeout=_PATIENCE_SECONDS,
        )
    except (OSError, subprocess.SubprocessError) as error:
        logger.warning("nvidia-smi does not list the GPUs: %s", error)
        return ()
    return tuple(line.strip() for line in asked.stdout.splitlines() if line.strip())


def group_gpus(gpus: Sequence[str], size: int) -> list[tuple[str, ...]]:
    """Return groups of this many GPUs; the remainder forms a smaller one."""
    return [tuple(gpus[first : first + size]) for first in range(0, len(gpus), size)]


def run_workers(say: Callable[[str], None], *, runs_agents: bool) -> None:
    """Keep this machine's workers alive until Ctrl-C or SIGTERM.

    They train; with `runs_agents`, one of them also works on the queue `agents`.
    """
    stopping = StopRequest()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stopping.set())
    specs = list_training_workers(serves=False)
    if runs_agents:
        specs.append(agents_worker())
    load_ahead()
    children = [Child(spec) for spec in specs]
    for child in children:
        say(f"Starting {child.spec.name}. Press Ctrl-C to stop.")
    try:
        while not stopping.is_set():
            for child in children:
                child.revive(time.monotonic())
            stopping.wait(_POLL_SECONDS)
    finally:
        say("Stopping: trainers save first …")
        stop_children(children, grace_seconds=settings.STUDIO_STOP_GRACE_SECONDS)
