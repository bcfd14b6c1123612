"""Installs Python packages with uv, in a fraction of pip's time, or with pip where uv fails.

uv does not read pip's configuration. It is passed on here, so that mirrors, certificates and
folders of wheels hold for both: without the folder of wheels, uv takes the CUDA build of torch.
"""

import ast
import os
import shutil
import subprocess
from pathlib import Path

# A release that resolves the requirements as pip does; checked by comparing what each installed.
UV = "uv==0.13.9"

_SAME_MEANING = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "constraint": "UV_CONSTRAINT",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "timeout": "UV_HTTP_TIMEOUT",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "proxy": "ALL_PROXY",
}
_SCOPES = "global", "install", ":env:"
"""Of pip's settings; a later one holds rather than those before it."""

_SEPARATORS = {"find-links": ","}
"""How uv separates several values; spaces, unless it is given here. pip uses white space."""


def install_packages(python: Path, arguments: list[str]) -> None:
    """Install into the environment of `python`; the arguments are those of `pip install`.

    Raises:
        SystemExit: neither uv nor pip could.
    """
    uv = find_uv(python)
    if uv is not None:
        command = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", str(python)]
        settings = translate_settings(_ask_pip(python, "config", "list"))
        # What the environment says to uv itself is preferred.
        environment = settings | dict(os.environ)
        if subprocess.run([*command, *arguments], env=environment, check=False).returncode == 0:
            return
        print("uv could not install the packages; pip tries, which takes minutes …", flush=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    status = subprocess.run([*command, *arguments], check=False).returncode
    if status != 0:
        raise SystemExit(f"`{' '.join([*command, *arguments])}` ended with status {status}.")


def find_uv(python: Path) -> str | None:
    """Return the machine's uv, or the environment's, where pip puts one if there is none."""
    own = python.with_name("uv")
    if found := shutil.which("uv") or shutil.which(own):
        return found
    _ask_pip(python, "install", "--quiet", UV)
    return shutil.which(own)


def translate_settings(listed: str) -> dict[str, str]:
    """Return the variables of uv that mean what `pip config list` printed."""
    # As pip does: the best release of all indexes, not the first index that knows the name.
    settings = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    lines = [line.partition("=") for line in listed.splitlines()]
    for wanted in _SCOPES:
        for path, _, quoted in lines:
            scope, _, name = path.rpartition(".")
            if scope == wanted and name in _SAME_MEANING:
                values = str(ast.literal_eval(quoted)).split()
                settings[_SAME_MEANING[name]] = _SEPARATORS.get(name, " ").join(values)
    return settings


def _ask_pip(python: Path, *arguments: str) -> str:
    """Return what pip printed; nothing if it failed."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", *arguments]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    return asked.stdout if asked.returncode == 0 else ""
