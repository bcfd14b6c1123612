"""Sharing a run in progress on this machine with other machines."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from optimize_app.finetune.store import runs
from optimize_app.launchers.launcher import Launcher
from tapes_app.engine.errors import ConflictError, StudioError
from tapes_app.jobs.store.job import Job

logger = logging.getLogger(__name__)

_PUBLISH_SECONDS = 3.0


@contextmanager
def shared_run(job: Job, launcher: Launcher) -> Iterator[None]:
    """Publish the run of a job immediately, repeatedly while it is worked on, and at the end.

    If all machines share one data folder there is nothing to publish; if a launcher carries the
    folder away, whoever works on the copy publishes it.

    Raises:
        ConflictError: another worker has taken over the run.
        ArtefactError: the artefact store cannot be reached at the beginning or at the end.
    """
    if launcher.carries_folder or not settings.STUDIO_ARTEFACTS:
        yield
        return
    runs.publish_run(job.id, job.attempt)
    ended = threading.Event()
    publisher = threading.Thread(target=_publish_until, args=(job, ended), name="publisher")
    publisher.start()
    try:
        yield
    finally:
        ended.set()
        publisher.join()
        runs.publish_run(job.id, job.attempt)


def _publish_until(job: Job, ended: threading.Event) -> None:
    while not ended.wait(_PUBLISH_SECONDS):
        try:
            runs.publish_run(job.id, job.attempt)
        except ConflictError:
            return  # another worker has the job now; this job's worker learns of that as well
        except StudioError as error:
            logger.warning("The run %s could not be published: %s", job.id, error.message)
        except FileNotFoundError:
            continue  # a checkpoint was removed in the meantime
