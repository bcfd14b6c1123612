"""What the children of the studio have in common, loaded once: they are forked after this import.

Loading takes five seconds of a core, in each child otherwise. Nothing here opens a connection or a
file, and a person's own modules are left to the children.
"""

import gc
import signal
from importlib import import_module

from django.conf import settings

from studio.parent import FOR_CHILDREN, die_with_parent
from tapes_app.agents.services.plugins import leave_own_modules

# It ends after the children: a signal to all processes of the studio is for its parent and them.
for number in FOR_CHILDREN:
    signal.signal(number, signal.SIG_IGN)
die_with_parent(signal.SIGKILL)
leave_own_modules()

import celery.apps.worker  # noqa: E402
import celery.bin.worker  # noqa: E402
import celery.concurrency.thread  # noqa: E402
import celery.worker.consumer  # noqa: E402, F401

import studio.web  # noqa: E402, F401
from studio.celery import app  # noqa: E402

import_module("studio.asgi")
import_module(settings.ROOT_URLCONF)
app.loader.import_default_modules()

# So that the collector of a child never writes to what it shares with the others.
gc.collect()
gc.freeze()
