"""The peer's comparison of two batches, pair after pair by index; prints JSON last.

Takes two files with a JSON list of tapes each. As in its diff script when a person chooses a pair,
both files are read, each step is rendered, and steps of the same index and kind that differ are
compared word by word. It has no totals: to know which tapes changed, one must open every pair.
"""

import json
import os
import sys
import tempfile
import time
from itertools import zip_longest
from pathlib import Path

os.environ["TAPEAGENTS_SQLITE_DB"] = str(Path(tempfile.mkdtemp()) / "tapedata.sqlite")

from tapeagents.dialog_tape import DialogTape
from tapeagents.io import load_tapes
from tapeagents.renderers.basic import BasicRenderer
from tapeagents.utils import diff_strings


def show_pair(renderer, paths, number):
    left, right = (load_tapes(DialogTape, path)[number] for path in paths)
    html = ""
    for at, (one, other) in enumerate(zip_longest(left.steps, right.steps)):
        shown = "" if one is None else renderer.render_step(one, at, folded=False)
        second = "" if other is None else renderer.render_step(other, at, folded=False)
        if one and other and one != other and one.kind == other.kind:
            second = diff_strings(shown, second, use_html=True, by_words=True)
        html += shown + second
    return html


def main():
    paths, count = [Path(path) for path in sys.argv[1:3]], int(sys.argv[3])
    renderer = BasicRenderer()
    begin = time.perf_counter()
    size = sum(len(show_pair(renderer, paths, number)) for number in range(count))
    print(json.dumps({"seconds": time.perf_counter() - begin, "characters": size}))


if __name__ == "__main__":
    main()
