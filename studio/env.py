"""The environment variables that the studio reads; nothing else reads `os.environ`."""

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from tapes_app.engine.errors import InvalidInputError

PROJECT_DIR = Path(__file__).resolve().parent.parent
PREFIX = "STUDIO_"
_UNPREFIXED = {"DATABASE_URL": "database_url", "REDIS_URL": "redis_url"}
_OWN_SECRETS = frozenset({"STUDIO_SECRET_KEY", "STUDIO_METRICS_TOKEN", *_UNPREFIXED})


class SettingError(InvalidInputError):
    """An environment variable is misspelt or its value cannot be used."""

    code = "environment"


class StudioEnvironment(BaseModel):
    """The settings from outside; their docstrings are the table in docs/settings.md."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    data_dir: Path = PROJECT_DIR / ".studio"
    """Folder of the database, the broker, blobs, training runs and models."""

    host: str = "127.0.0.1"
    """Address that the web server binds to."""

    port: int = Field(default=8700, ge=1, le=65535)
    """Port of the web server; if it is in use, the next free one is taken."""

    accounts: bool = False
    """1: people sign in with name and password; 0: one person with a one-time link."""

    oidc_name: str = Field(default="", max_length=40)
    """Text of the button after "Sign in with"; by default the provider's host."""

    oidc_client_id: str = ""
    """Id of this studio at the OpenID provider."""

    oidc_client_secret: str = Field(default="", repr=False)
    """The secret that the provider issued for it."""

    oidc_issuer: str = ""
    """Address of an OpenID provider that people may sign in with, such as
    `https://id.example.org/realms/team`; it needs STUDIO_ACCOUNTS=1."""

    secret_key: str | None = Field(default=None, min_length=32, repr=False)
    """Signs sessions and encrypts stored keys; by default it is created in the data folder."""

    allowed_hosts: tuple[str, ...] = ()
    """Further host names, separated by commas, under which the studio may be reached."""

    https: bool = False
    """1: people reach the studio only by HTTPS, under the first of the allowed hosts, through a
    proxy that sets X-Forwarded-Proto and X-Forwarded-For."""

    trusted_proxies: tuple[str, ...] = ("127.0.0.1",)
    """Addresses of proxies, separated by commas, whose X-Forwarded headers are trusted."""

    model_hosts: tuple[str, ...] = ()
    """Hosts of the internal network, separated by commas, that models may be called at if people
    sign in with accounts, such as `gpu.internal:8000`; public hosts are always allowed."""

    chromium: str = ""
    """Path of the Chromium that agents browse with; empty: the first one that is found."""

    mcp_servers: tuple[str, ...] = ()
    """What operators may add as MCP servers on the page Environments if people sign in with
    accounts, separated by commas: how commands begin, such as `uvx mcp-server-time`, and
    addresses, such as `https://mcp.example.org`; without accounts, they may add any."""

    browser_hosts: tuple[str, ...] = ()
    """Hosts of the internal network, separated by commas, that browsers of agents may open if
    people sign in with accounts and an agent's settings name them, too."""

    agent_concurrency: int = Field(default=8, ge=1, le=2_000)
    """Maximum number of concurrent agent runs in the worker, up to 2,000: most of the time runs
    wait for their model."""

    max_upload_bytes: int = Field(default=2 * 1024**3, ge=1024)
    """Maximum size of an upload, in bytes."""

    spare_bytes: int = Field(default=200 * 1024**2, ge=0)
    """Space to keep free on the disk of the data folder, in bytes: with less, the studio does not
    start and takes no uploads."""

    vllm: str = ""
    """Path of the program `vllm`, in its own environment, which then serves models in place of the
    studio's small server; it needs a GPU."""

    artefacts: str = ""
    """Where machines without a common data folder share training sets, base models and finetunes:
    an address of fsspec such as `s3://bucket/studio` or `file:///mnt/studio`."""

    launcher: Literal["local", "slurm", "sky"] = "local"
    """How trainers are started: as processes alongside the worker, as Slurm jobs, or by SkyPilot on
    a cloud."""

    slurm_options: tuple[str, ...] = ()
    """Options of `sbatch`, separated by commas, such as `partition=gpu,time=720`."""

    sky_task: str = ""
    """Path of a SkyPilot task file that describes the machine for training and its setup."""

    gpus_per_worker: int = Field(default=1, ge=1, le=64)
    """GPUs reserved for each worker of the queue `train`."""

    train_memory_bytes: int | None = Field(default=None, ge=1)
    """The most memory that a finetune may be expected to need, in bytes, on its GPU or its host; by
    default all there is."""

    stop_grace_seconds: float = Field(default=120.0, gt=0)
    """How long a trainer that was asked to end may take to save before it is killed."""

    plugins: tuple[str, ...] = ()
    """Python modules, separated by commas, with your own agents, tools and steps."""

    unwalled_functions: bool = False
    """1: scorer functions also run, documents are read and pages are browsed where the system
    cannot wall them in, for which it needs seccomp and Landlock or user namespaces, and Chromium a
    user other than root; they can then read what the worker can read and, without seccomp, also
    change it."""

    debug: bool = False
    """1: development mode, with tracebacks in the browser; `up` restarts when a module of your own
    changes."""

    log_level: str = Field(default="INFO", pattern="^(DEBUG|INFO|WARNING|ERROR)$")
    """How much is logged: DEBUG, INFO, WARNING or ERROR."""

    log_format: Literal["text", "json"] = "text"
    """Format of the log: `text`, or `json` with one object per line that has request and job
    ids."""

    metrics_token: str | None = Field(default=None, min_length=16, repr=False)
    """Bearer token that grants access to `/metrics`; without it there is no such page."""

    database_url: str | None = Field(default=None, repr=False)
    """`postgresql://user:password@host:port/name`; SQLite in the data folder otherwise."""

    redis_url: str | None = Field(default=None, repr=False)
    """`redis://host:port/0` as broker and wake; folders in the data folder otherwise."""

    @field_validator(
        "allowed_hosts",
        "trusted_proxies",
        "model_hosts",
        "browser_hosts",
        "mcp_servers",
        "plugins",
        "slurm_options",
        mode="before",
    )
    @classmethod
    def _split_commas(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("https")
    @classmethod
    def _need_a_host(cls, value: object, info: ValidationInfo) -> object:
        if value and not info.data.get("allowed_hosts"):
            raise ValueError("needs the name of the host in STUDIO_ALLOWED_HOSTS")
        return value

    @field_validator("oidc_issuer")
    @classmethod
    def _need_a_client(cls, value: str, info: ValidationInfo) -> str:
        if value and not is_private_address(value):
            raise ValueError("must begin with https://, or be on this machine")
        if value and not info.data.get("accounts"):
            raise ValueError("needs STUDIO_ACCOUNTS=1")
        if value and not (info.data.get("oidc_client_id") and info.data.get("oidc_client_secret")):
            raise ValueError("needs STUDIO_OIDC_CLIENT_ID and STUDIO_OIDC_CLIENT_SECRET")
        return value.rstrip("/")

    @classmethod
    def from_variables(cls, variables: Mapping[str, str]) -> Self:
        """Read `STUDIO_*`, DATABASE_URL and REDIS_URL; refuse any other `STUDIO_*` name."""
        _refuse_unknown_names(variables)
        values = {
            field: variables[name]
            for name, field in variable_names().items()
            if variables.get(name)  # an empty value counts as unset
        }
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise SettingError(_explain(error)) from error


def is_private_address(url: str) -> bool:
    """Return whether nobody on the way can read what is sent to an address."""
    parts = urlsplit(url)
    is_here = parts.hostname in {"127.0.0.1", "localhost", "::1"}
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and is_here)
    )


def variable_names() -> dict[str, str]:
    """Return the field that each environment variable sets."""
    prefixed = set(StudioEnvironment.model_fields) - set(_UNPREFIXED.values())
    return {f"{PREFIX}{field.upper()}": field for field in sorted(prefixed)} | _UNPREFIXED


def read_environment() -> StudioEnvironment:
    """Read the process's variables, with those of the project's `.env` file as defaults."""
    _load_dotenv(PROJECT_DIR / ".env")
    # litellm fetches its price map from the network at import unless this is set first.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    return StudioEnvironment.from_variables(os.environ)


def read_variable(name: str) -> str | None:
    """Return the value of a variable that a person named as the source of a model's key.

    The studio's own variables are never returned: a model's settings must not be a way to send them
    somewhere.
    """
    if name.startswith(PREFIX) or name in _OWN_SECRETS:
        return None
    return os.environ.get(name) or None


def visible_gpus() -> tuple[str, ...] | None:
    """Return the GPUs that this process may use; `None`: CUDA_VISIBLE_DEVICES is not set."""
    listed = os.environ.get("CUDA_VISIBLE_DEVICES")
    if listed is None:
        return None
    return tuple(one for one in listed.replace(" ", "").split(",") if one and one != "-1")


def child_environment(**changes: str) -> dict[str, str]:
    """Return this process's variables for a child process, with `changes` on top."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | changes


def set_variable(name: str, value: str) -> None:
    """Set a variable for this process and the children it starts."""
    os.environ[name] = value


def _refuse_unknown_names(variables: Mapping[str, str]) -> None:
    known = variable_names()
    for name in sorted(variables):
        if name.startswith(PREFIX) and name not in known:
            nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
            raise SettingError(
                f"Unknown setting {name!r}; did you mean {nearest!r}? Fix or unset {name}.",
                name=name,
                nearest=nearest,
            )


def _explain(error: ValidationError) -> str:
    names = {field: name for name, field in variable_names().items()}
    problems = [
        f"{names.get(str(problem['loc'][0]), problem['loc'][0])}: {problem['msg']}"
        for problem in error.errors(include_input=False)
    ]
    return "Invalid settings: " + "; ".join(problems) + "."


def _load_dotenv(path: Path) -> None:
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        name, separator, value = line.strip().removeprefix("export ").partition("=")
        if separator and not name.startswith("#"):
            os.environ.setdefault(name.strip(), value.strip().strip("'\""))
