"""A page of the peer's Browser over a folder of tapes: what it must read before it shows anything.

Gradio, which would draw the page, is left out, and so is its time. Prints JSON last.
"""

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import MagicMock

FOLDER = tempfile.mkdtemp(prefix="peer-benchmark-")
os.environ["TAPEAGENTS_SQLITE_DB"] = str(Path(FOLDER) / "tapedata.sqlite")
sys.modules["gradio"] = MagicMock()

from tapeagents.dialog_tape import DialogTape  # noqa: E402
from tapeagents.renderers.basic import BasicRenderer  # noqa: E402
from tapeagents.tape_browser import TapeBrowser  # noqa: E402

REPEATS = 3


def main():
    folder = sys.argv[1]
    pages, opened = [], []
    for _ in range(REPEATS):
        browser = TapeBrowser(DialogTape, folder, BasicRenderer(), file_extension=".json")
        begin = time.perf_counter()
        browser.files = browser.get_tape_files()
        pages.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        browser.tapes = browser.load_tapes(browser.files[0])
        browser.load_llm_calls()
        browser.update_tape_view(0)
        opened.append(time.perf_counter() - begin)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        json.dumps(
            {
                "tapes": len(browser.tape_index),
                "page": sorted(pages)[REPEATS // 2],
                "open": sorted(opened)[REPEATS // 2],
                "megabytes": megabytes,
            }
        )
    )


if __name__ == "__main__":
    main()
