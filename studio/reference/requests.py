"""The page of all requests over HTTP, written from the OpenAPI document."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from studio.reference.tables import write_table

_BEGINNING = (
    "# Requests over HTTP\n\nWritten by `make generate` from the OpenAPI document, which a running "
    "studio has at `/api/v1/openapi.json` with every field of every answer. Requests can be tried "
    "out at `/api/v1/docs`. A tour with `curl` is in [http.md](http.md), the same from Python in "
    "[python.md](python.md). All paths start with `/api/v1`. A name with `?` may be left out; "
    "*files* is a form with files. A list that has `after` and `limit` returns a page, and in "
    "`next` where the following one starts."
)
_REF = "#/components/schemas/"


def write_requests() -> str:
    """Return the page as Markdown."""
    from studio.api import api  # loads all routes, which the other pages do without

    document = api.get_openapi_schema()
    return "\n".join([_BEGINNING, *_describe_subjects(document), ""])


def _describe_subjects(document: Mapping[str, Any]) -> Iterator[str]:
    subjects: dict[str, list[Sequence[str]]] = defaultdict(list)
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, asked in methods.items():
            name = f"`{method.upper()} {path.removeprefix('/api/v1')}`"
            row = (name, _summarize(asked), ", ".join(_list_taken(asked, schemas)))
            subjects[asked["tags"][0]].append(row)
    for subject, rows in sorted(subjects.items()):
        yield f"\n## {subject.capitalize()}"
        yield from write_table(("request", "what it does", "takes"), rows)


def _summarize(asked: Mapping[str, Any]) -> str:
    """Return the first sentence of a request's description."""
    text = " ".join(str(asked.get("description") or asked["summary"].capitalize() + ".").split())
    return re.split(r"(?<=[a-z)`'\"]\.) (?=[A-Z])", text)[0]


def _list_taken(asked: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    """Yield the parameters of the path, the query and the body."""
    for parameter in asked.get("parameters", ()):
        if parameter["in"] != "path":
            yield _write_name(parameter["name"], is_needed=parameter.get("required", False))
    for kind, body in asked.get("requestBody", {}).get("content", {}).items():
        if kind == "multipart/form-data":
            yield "*files*"
        yield from _list_fields(body["schema"], schemas)


def _list_fields(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    found = schemas[schema["$ref"].removeprefix(_REF)] if "$ref" in schema else schema
    needed = found.get("required", ())
    for name in found.get("properties", {}):
        yield _write_name(name, is_needed=name in needed)


def _write_name(name: str, *, is_needed: bool) -> str:
    return f"`{name}`" if is_needed else f"`{name}?`"
