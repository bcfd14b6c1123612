"""What all benchmarks share: the peer's environment, repeated timing, and the result file.

The peer is installed from the package index into a separate environment and measured in the same
run as ours, because absolute times drift on shared machines: quote the ratios.
"""

import hashlib
import json
import platform
import shutil
import statistics
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
PEERS = HERE / ".peers"
OURS = ("django", "pydantic", "channels", "celery")


@dataclass(frozen=True)
class Row:
    """One measured case; `ratio` is how many times better we are than the peer."""

    case: str
    ours: float
    peer: float | None
    unit: str
    ratio: float | None


def row(case: str, ours: float, peer: float | None, unit: str, *, higher_wins: bool) -> Row:
    """Make a row; `peer` is `None` if it has nothing comparable."""
    ratio = None
    if peer:
        ratio = ours / peer if higher_wins else peer / ours
    return Row(case, _rounded(ours), _rounded(peer), unit, _rounded(ratio))


def _rounded(value: float | None) -> Any:
    return None if value is None else float(f"{value:.4g}")


def median_of(measure: Callable[[], float], *, repeats: int = 3) -> float:
    return statistics.median(measure() for _ in range(repeats))


def peer_python(name: str) -> Path:
    """Return the interpreter of a peer's environment, building it from `peers/NAME.txt` once."""
    requirements = HERE / "peers" / f"{name}.txt"
    digest = hashlib.sha256(requirements.read_bytes()).hexdigest()
    folder = PEERS / name
    stamp = folder / "installed"
    python = folder / "bin" / "python"
    if stamp.exists() and stamp.read_text() == digest:
        return python
    print(f"building the environment of the peer {name} …", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    # Every needed package is pinned in the file; the peer's heavy extras are not installed.
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "-r", str(requirements)]
    subprocess.run(command, check=True)
    stamp.write_text(digest)
    return python


def run_peer(name: str, program: str, *arguments: object) -> Any:
    """Run `peers/PROGRAM.py` in the peer's environment; it prints one JSON value last."""
    command = [str(peer_python(name)), str(HERE / "peers" / f"{program}.py")]
    done = subprocess.run(
        [*command, *map(str, arguments)], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout.strip().splitlines()[-1])


def finish(
    name: str,
    *,
    claim: int,
    goal: str,
    rows: Sequence[Row],
    met: bool,
    peer: str = "",
    gpu: str | None = None,
    packages: Sequence[str] = OURS,
    results: Path = RESULTS,
) -> None:
    """Print the table and write `results/NAME.json`; `gpu` is the card's name, if one was used."""
    result = {
        "claim": claim,
        "rows": [asdict(item) for item in rows],
        "goal": goal,
        "met": met,
        "peer": peer,
        "versions": {
            "python": platform.python_version(),
            **find_versions(packages),
        },
        "commit": _git_commit(),
        "cpu": _cpu(),
        **({} if gpu is None else {"gpu": gpu}),
    }
    results.mkdir(exist_ok=True)
    (results / f"{name}.json").write_text(json.dumps(result, indent=2) + "\n")
    print(as_table(result))


def find_versions(packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of those packages that are installed."""
    found = {}
    for package in packages:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def as_table(result: dict[str, Any]) -> str:
    """Return one result as Markdown."""
    verdict = "met" if result["met"] else "**not met**"
    lines = [
        f"Claim {result['claim']}: {result['goal']} ({verdict})",
        "",
        "| case | ours | peer | unit | ratio |",
        "|---|---:|---:|---|---:|",
    ]
    for item in result["rows"]:
        peer = "" if item["peer"] is None else f"{item['peer']:g}"
        ratio = "" if item["ratio"] is None else f"{item['ratio']:g} x"
        lines.append(f"| {item['case']} | {item['ours']:g} | {peer} | {item['unit']} | {ratio} |")
    return "\n".join(lines) + "\n"


def _git_commit() -> str:
    git = shutil.which("git")
    if git is None:
        return ""
    done = subprocess.run(
        [git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=HERE, check=False
    )
    return done.stdout.strip()


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()


def add_repository_to_path() -> None:
    """Let a script import the product when it is run as a file."""
    sys.path.insert(0, str(HERE.parent))
