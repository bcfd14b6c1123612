import re
from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_OLD = ("search", "agent", "batch", "has_error", "lint", "pinned", "archived")
_QUOTED_OR_SEQUENCE = re.compile(
    r'"(?:\\.|[^"\\])*"?|(?<![^\s()"])seq(?:!=|<=|>=|:|=|<|>)', re.IGNORECASE | re.DOTALL
)


def write_as_queries(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """Jobs keep which tapes they are about: what narrowed a list beside its query goes into it."""
    jobs = apps.get_model("tapes_app", "JobRecord").objects
    for job in jobs.filter(kind__in=["export", "transform", "rerun"]).iterator():
        if not any(name in job.request for name in _OLD):
            continue
        request = {name: value for name, value in job.request.items() if name not in _OLD}
        if request.get("tape_ids") is None:
            request["q"] = _compose(job.request)
        jobs.filter(id=job.id).update(request=request)


def _compose(old: dict[str, Any]) -> str:
    query = old.get("q", "")
    words = re.split(r'[\s()",]+', old.get("search", ""))
    conditions = [f"text:{word}" for word in words if word]
    for field in ("agent", "batch", "lint"):
        if value := old.get(field):
            conditions.append(f"{field}:{_quote(value)}")
    for name, flag in (("has_error", "has:error"), ("pinned", "is:pinned")):
        if old.get(name) is not None:
            conditions.append(flag if old[name] else f"-{flag}")
    said = re.split(r"[\s()-]+", query)
    if not any(word.startswith("is:") and "archived" in word for word in said):
        both = "(is:archived OR -is:archived)"
        asked = old.get("archived", False)
        conditions += [both] if asked is None else ["is:archived"] if asked else []
    if not conditions or not query.strip():
        return query.strip() or " ".join(conditions)
    found = _QUOTED_OR_SEQUENCE.finditer(query)
    end = next((one.start() for one in found if not one[0].startswith('"')), len(query))
    own = f"({query[:end]}) " if query[:end].strip() else ""
    return f"{' '.join(conditions)} {own}{query[end:]}".strip()


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class Migration(migrations.Migration):
    dependencies = [("tapes_app", "0019_one_undo_log")]

    operations = [migrations.RunPython(write_as_queries, migrations.RunPython.noop)]
