"""Opens the launcher named in the settings."""

from django.conf import settings

from optimize_app.launchers.launcher import Launcher, LauncherError
from optimize_app.launchers.local import LocalLauncher
from optimize_app.launchers.sky import SkyLauncher
from optimize_app.launchers.slurm import SlurmLauncher


def open_launcher() -> Launcher:
    """Return the launcher with which this studio starts trainers.

    Raises:
        LauncherError: a requirement is not installed, or one of its options cannot be read.
    """
    match settings.STUDIO_LAUNCHER:
        case "slurm":
            return SlurmLauncher(_read_options(settings.STUDIO_SLURM_OPTIONS))
        case "sky":
            return SkyLauncher(settings.STUDIO_SKY_TASK, settings.STUDIO_ARTEFACTS)
        case _:
            return LocalLauncher()


def _read_options(texts: tuple[str, ...]) -> dict[str, str]:
    options = dict(text.split("=", 1) for text in texts if "=" in text)
    if len(options) < len(texts):
        raise LauncherError(
            "STUDIO_SLURM_OPTIONS are written as name=value, separated by commas, such as "
            "partition=gpu,time=720."
        )
    return options
