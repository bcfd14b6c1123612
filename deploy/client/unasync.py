"""Write the blocking client from the async one: `python unasync.py [--check]`."""

import re
import sys
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent / "tape_studio_client"
_MODULES = {"async_studio.py": "studio.py", "async_job.py": "job.py"}
_WORDS = [
    ("AbstractAsyncContextManager", "AbstractContextManager"),
    ("AsyncIterator", "Iterator"),
    ("AsyncClient", "Client"),
    ("AsyncStudio", "Studio"),
    ("AsyncJob", "Job"),
    ("async_studio", "studio"),
    ("async_job", "job"),
    ("__aenter__", "__enter__"),
    ("__aexit__", "__exit__"),
    ("aclose", "close"),
    ("aread", "read"),
    ("aiter_", "iter_"),
    ("import asyncio", "import time"),
    ("asyncio.sleep", "time.sleep"),
    ("async def", "def"),
    ("async for", "for"),
    ("async with", "with"),
    ("Written once; `unasync.py` makes the other.", "Written by `unasync.py`."),
]


def convert(text: str) -> str:
    """Return the blocking module, with its imports sorted by name."""
    for word, other in _WORDS:
        text = text.replace(word, other)
    text = re.sub(r"\bawait ", "", text)
    text = text.replace("(self.find_agent(agent)).", "self.find_agent(agent).")
    return _sort_imports(text)


def _sort_imports(text: str) -> str:
    found = re.findall(r"(?:^(?:import|from) .*\n)+", text, re.MULTILINE)
    for block in found:
        lines = block.splitlines(keepends=True)
        ordered = sorted(lines, key=lambda line: (line.startswith("from"), line))
        text = text.replace(block, "".join(ordered), 1)
    return text


def main() -> int:
    stale = []
    for source, target in _MODULES.items():
        written = convert((_FOLDER / source).read_text(encoding="utf-8"))
        path = _FOLDER / target
        if path.exists() and path.read_text(encoding="utf-8") == written:
            continue
        stale.append(target)
        if "--check" not in sys.argv:
            path.write_text(written, encoding="utf-8")
    if stale and "--check" in sys.argv:
        sys.stderr.write(f"Run `python deploy/client/unasync.py`: {', '.join(stale)} is stale.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
