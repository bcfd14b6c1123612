"""`python -m optimize_app.serving SERVER_DIR`.

Exit status: 0 it was asked to end and did, 1 its engine broke (see the log), 2 it cannot start (a
sentence explains why), 4 another server uses the folder.
"""

import argparse
import signal
import sys
from pathlib import Path

from optimize_app.finetune.trainer.threads import wait_passively
from optimize_app.serving.server.server_folder import ServerFolder
from tapes_app.engine.errors import StudioError

ENDED, BROKEN, REFUSED, BUSY = 0, 1, 2, 4


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m optimize_app.serving", description=__doc__)
    parser.add_argument("server_dir", type=Path, help="folder with server.json and adapters/")
    folder = ServerFolder(parser.parse_args(arguments).server_dir)
    wait_passively()
    # Until the server itself handles signals, as loading a base takes long.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ENDED))
    try:
        config = folder.read_config()
        with folder.hold():
            from optimize_app.serving.server.program import serve

            return ENDED if serve(folder, config) else BROKEN
    except BlockingIOError:
        print("Another server uses this folder.", file=sys.stderr)
        return BUSY
    except StudioError as error:
        print(error.message, file=sys.stderr)
        return REFUSED


if __name__ == "__main__":
    sys.exit(main())
