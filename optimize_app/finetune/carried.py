"""`python -m optimize_app.finetune.carried STORE ARTEFACT`: train a run of the artefact store.

For machines that can reach neither the studio's data folder nor its database: the run and its base
are fetched from the store, and results are pushed back there during training. Exit status as the
trainer's.
"""

import argparse
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from optimize_app.finetune.command import trainer_command
from optimize_app.finetune.trainer.run_folder import RunFolder
from tapes_app.artefacts.artefact_store import Artefacts, ArtefactStore
from tapes_app.engine.errors import StudioError

_PUBLISH_SECONDS = 5.0
_REFUSED = 2


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m optimize_app.finetune.carried", description=__doc__
    )
    parser.add_argument("store", help="address of the artefact store")
    parser.add_argument("artefact", help="the run, such as finetunes/ID")
    parser.add_argument("--attempt", type=int, default=0, help="attempt of the run's job")
    parser.add_argument("--root", type=Path, default=Path.home() / "tape-studio-runs")
    options = parser.parse_args(arguments)
    try:
        options.root.mkdir(parents=True, exist_ok=True)
        store = ArtefactStore(options.store, options.root)
        run = _fetch(store, options.root, options.artefact)
        store.publish(options.artefact, attempt=options.attempt)
        signal.signal(signal.SIGTERM, lambda *_: run.stop_file.touch())
        trainer = subprocess.Popen(trainer_command(run))  # noqa: S603 - our own program
        while trainer.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                trainer.wait(_PUBLISH_SECONDS)
            _publish(store, options.artefact, options.attempt)
        store.publish(options.artefact, attempt=options.attempt)
    except StudioError as error:
        print(error.message, file=sys.stderr)
        return _REFUSED
    return trainer.returncode


def _fetch(store: Artefacts, root: Path, artefact: str) -> RunFolder:
    store.fetch(artefact)
    run = RunFolder(root / artefact)
    base = Path(run.find_base(run.read_config()))
    models = (root / "models").resolve()
    if base.parent == models:
        store.fetch(f"models/{base.name}")
    return run


def _publish(store: Artefacts, artefact: str, attempt: int) -> None:
    try:
        store.publish(artefact, attempt=attempt)
    except FileNotFoundError:
        pass  # a checkpoint was removed in the meantime
    except StudioError as error:
        print(error.message, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
