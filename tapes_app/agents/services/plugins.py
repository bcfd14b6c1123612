"""Loads the shipped agents and a person's own modules, which register their contents.

Each process does this once, when it starts (`TapesAppConfig.ready`): whatever runs later finds
every step class, node, tool and agent in its registry.
"""

import importlib
import logging
from importlib.metadata import entry_points
from threading import Event, RLock

from django.conf import settings

GROUP = "tape_studio.plugins"
_SHIPPED = (
    "tapes_app.builders",
    "tapes_app.environments.browser",
    "tapes_app.environments.code",
    "tapes_app.environments.search.environment",
    "tapes_app.gallery",
)

logger = logging.getLogger(__name__)
_lock = RLock()
_problems: dict[str, str] = {}
_loaded: set[str] = set()
_leaves_own_modules = Event()


def load_plugins() -> None:
    """Import what ships, the modules that STUDIO_PLUGINS names and installed plugins, once.

    A module that cannot be imported is logged and listed by `list_plugin_problems`; the others
    work. Names come from the settings and from installed packages, never from a request.
    """
    with _lock:
        for name in _SHIPPED if _leaves_own_modules.is_set() else list_plugin_modules():
            _load(name)


def leave_own_modules() -> None:
    """Leave a person's modules to the processes that will be forked from this one.

    Such a module may start a thread, which no fork has, and may change before the next fork.
    """
    _leaves_own_modules.set()


def load_own_modules() -> None:
    """Load what was left to this process, if anything was."""
    if _leaves_own_modules.is_set():
        _leaves_own_modules.clear()
        load_plugins()


def list_plugin_modules() -> list[str]:
    """Return the modules that are loaded, the shipped ones first."""
    return [*_SHIPPED, *list_own_modules()]


def list_own_modules() -> list[str]:
    """Return the modules that a person has added, through the settings or by installing them."""
    installed = (point.module for point in entry_points(group=GROUP))
    return list(dict.fromkeys((*settings.STUDIO_PLUGINS, *installed)))


def list_plugin_problems() -> dict[str, str]:
    """Return why modules could not be loaded, by module name."""
    return dict(_problems)


def _load(name: str) -> None:
    if name in _loaded:
        return
    _loaded.add(name)
    try:
        importlib.import_module(name)
    except (Exception, SystemExit) as error:  # a person's module may fail in any way
        # `doctor` and every other command must still start, to report it.
        logger.exception("plugin %s could not be loaded", name)
        _problems[name] = f"{type(error).__name__}: {error}"
