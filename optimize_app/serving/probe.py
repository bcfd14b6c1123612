"""`python -m optimize_app.serving.probe SERVER_DIR NAME [--calls FILE]`.

Asks the running server for greedy answers, computes the same ones without it, and writes
`probes/NAME.json`. Exit status: 0 both agree, 1 they do not, 2 they could not be compared.
"""

import argparse
import sys
from pathlib import Path

from optimize_app.finetune.trainer.run_folder import write_json
from optimize_app.serving.server.parity import Parity, measure_parity, parity_to_json, read_calls
from optimize_app.serving.server.server_folder import ServerFolder
from tapes_app.engine.errors import StudioError

PASSED, FAILED, REFUSED = 0, 1, 2


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m optimize_app.serving.probe")
    parser.add_argument("server_dir", type=Path, help="folder of a running server")
    parser.add_argument("name", help="the adapter, or the base, as requests name it")
    parser.add_argument(
        "--calls", type=Path, help="calls to make, as JSON lines; default probes/NAME.jsonl"
    )
    options = parser.parse_args(arguments)
    if Path(options.name).name != options.name:
        parser.error("NAME is the name of an adapter, not a path.")
    folder = ServerFolder(options.server_dir)
    calls = options.calls or folder.probes / f"{options.name}.jsonl"
    refused = False
    try:
        parity = measure_parity(folder, options.name, read_calls(calls))
    except StudioError as error:
        parity, refused = Parity(passed=False, message=error.message), True
    if folder.path.is_dir():
        folder.probes.mkdir(exist_ok=True)
        write_json(folder.probes / f"{options.name}.json", parity_to_json(parity))
    print(parity.message, file=sys.stdout if parity.passed else sys.stderr)
    return REFUSED if refused else PASSED if parity.passed else FAILED


if __name__ == "__main__":
    sys.exit(main())
