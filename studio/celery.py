"""The Celery application; a message only notifies a worker of the id of a job."""

import faulthandler
import os
import sys
import warnings

from celery import Celery
from celery.signals import worker_ready, worker_shutting_down

# In a container, the superuser is the only user.
warnings.filterwarnings("ignore", message="You're running the worker with superuser", append=False)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")
# Django's checks load every route and the entire API, which a worker never uses.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("studio")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

AGENTS_QUEUE = "agents"
TRAIN_QUEUE = "train"
SERVE_QUEUE = "serve"
QUEUES = (AGENTS_QUEUE, SERVE_QUEUE, TRAIN_QUEUE)


@worker_ready.connect
def _start_heartbeat(**_: object) -> None:
    from studio.heartbeat import Heartbeat, begin_undrained

    _write_state_on_signal()
    begin_undrained()
    heartbeat = Heartbeat(sorted(app.amqp.queues.consume_from))
    heartbeat.start()
    worker_shutting_down.connect(lambda **_: heartbeat.stop(), weak=False)


def _write_state_on_signal() -> None:
    """Make the supervisor's signal dump what every thread is doing, even when all are blocked."""
    from studio.stuck_workers import STATE_SIGNAL

    if STATE_SIGNAL is not None and sys.__stderr__ is not None:
        faulthandler.register(STATE_SIGNAL, file=sys.__stderr__, all_threads=True)
