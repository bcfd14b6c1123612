"""Ten writers and four readers of one broker folder, some of which are killed on the way."""

import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.studio.broker_process import STOP
from tests.waiting import wait_until

_LASTING, _DOOMED, _READERS = 7, 3, 4
_ROOT = Path(__file__).resolve().parents[2]
_ENDLESS = 1_000_000_000


@dataclass(frozen=True)
class Race:
    """What came of it."""

    received: Counter[str]
    expected: set[str]
    """The messages of the writers that were not killed."""

    failed: list[int]
    """The exit codes of processes that failed without being killed."""

    killed_readers: int


def run_race(folder: Path, *, messages: int) -> Race:
    """Race until the writers that nobody kills have sent so many messages."""
    each = messages // _LASTING
    writers = [_start(folder, "write", f"w{number}", str(each)) for number in range(_LASTING)]
    doomed = [_start(folder, "write", f"k{number}", str(_ENDLESS)) for number in range(_DOOMED)]
    readers = [_start(folder, "read", str(folder / f"{number}.log")) for number in range(_READERS)]
    try:
        wait_until(lambda: sum(_count(folder).values()) > messages // 10, "the race to be on")
        _kill(doomed[0], readers[0])
        wait_until(lambda: sum(_count(folder).values()) > messages // 5, "it to go on")
        _kill(*doomed[1:])
        readers[0] = _start(folder, "read", str(folder / "replacement.log"))
        codes = [writer.wait(timeout=1200) for writer in writers]
        (folder / STOP).touch()
        codes += [reader.wait(timeout=1200) for reader in readers]
    finally:
        _kill(*writers, *doomed, *readers)
    return Race(
        received=_count(folder),
        expected={f"w{writer}-{number}" for writer in range(_LASTING) for number in range(each)},
        failed=[code for code in codes if code],
        killed_readers=1,
    )


def _start(folder: Path, verb: str, *arguments: str) -> subprocess.Popen[bytes]:
    module = [sys.executable, "-m", "tests.studio.broker_process"]
    return subprocess.Popen([*module, verb, str(folder), *arguments], cwd=_ROOT)


def _kill(*processes: subprocess.Popen[bytes]) -> None:
    for process in processes:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()


def _count(folder: Path) -> Counter[str]:
    return Counter(line for log in folder.glob("*.log") for line in log.read_text().splitlines())
