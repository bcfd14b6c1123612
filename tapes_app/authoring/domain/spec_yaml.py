"""Agents as YAML: written for people to read and edit, read without building anything."""

from io import BytesIO
from typing import Any

import yaml
from yaml.events import AliasEvent, NodeEvent

from tapes_app.engine.errors import ImportRefusedError
from tapes_app.interchange.packed_files import LimitedReader
from tapes_app.interchange.refusals import FormatProblem, ImportLimits
from tapes_app.interchange.yaml_reader import read_yaml_documents

_LIMITS = ImportLimits(
    max_unpacked_bytes=8_000_000, max_tape_bytes=8_000_000, max_depth=100, max_values=200_000
)
_WIDTH = 100
_OTHER_BREAKS = frozenset("\r\x85\u2028\u2029\ufeff")
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as such, and repeats values instead of pointing at them."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - as in PyYAML
        return True

    def represent_text(self, text: str) -> yaml.ScalarNode:
        style = "|" if "\n" in text else None
        if not _OTHER_BREAKS.isdisjoint(text):
            style = '"'  # any other style would write them as plain line breaks
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _Dumper.represent_text)


def write_yaml_spec(spec: dict[str, Any]) -> str:
    """Return a spec as YAML, its fields in their order."""
    return yaml.dump(spec, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)


def read_yaml_spec(text: str) -> dict[str, Any]:
    """Return the object in a YAML file; it is data, not yet an agent.

    Raises:
        ImportRefusedError: it is not YAML with a single object, or has anchors or tags.
    """
    try:
        _refuse_references(text)
        reader = LimitedReader(BytesIO(text.encode()), _LIMITS)
        documents = list(read_yaml_documents(reader, _LIMITS))
    except FormatProblem as problem:
        where = f" ({problem.position})" if problem.position else ""
        raise ImportRefusedError(
            f"This is not the YAML file of an agent: {problem.reason}{where}.",
            position=problem.position,
        ) from problem
    except (yaml.YAMLError, UnicodeError) as error:
        raise ImportRefusedError("This is not valid YAML; check its indentation.") from error
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise ImportRefusedError(
            "The YAML file of an agent has one document, an object with `name` and `nodes`."
        )
    return dict(documents[0])


def _refuse_references(text: str) -> None:
    """Refuse anchors, aliases and tags: an agent is plain data, and a file shows all of it."""
    for event in yaml.parse(text, Loader=_Loader):
        tag = getattr(event, "tag", None)
        if isinstance(event, AliasEvent) or (isinstance(event, NodeEvent) and event.anchor):
            reason = "it has an anchor or an alias; write the value out where it is used"
        elif tag is not None and tag != "!":
            reason = "it has a tag; remove it, an agent is plain data"
        else:
            continue
        mark = event.start_mark
        raise FormatProblem(reason, position=f"line {mark.line + 1}" if mark is not None else "")
