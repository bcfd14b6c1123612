"""Deleting all rows of a project, in any table.

Some rows are protected by the rows that refer to them, so tables are emptied starting at the far
end: first what refers to tapes, then tapes, finally the project. The database checks that nothing
is left over when the transaction ends.
"""

from uuid import UUID

from django.db import connection
from django.db.models import Model

from tapes_app.models import JobRecord, ProjectRecord
from tapes_app.projects.store.project_tables import find_tables, records_of, rows_of
from tapes_app.projects.store.records import get_record

_OVER = ("succeeded", "failed", "cancelled")

# Parts of prompts belong to no project: they are deleted once no call needs them any more.
_UNUSED_NODES = """
WITH RECURSIVE live(digest) AS (
  SELECT prompt_node_id FROM llm_call WHERE prompt_node_id IS NOT NULL
  UNION
  SELECT node.parent_id FROM prompt_node AS node JOIN live ON node.digest = live.digest
  WHERE node.parent_id IS NOT NULL
)
DELETE FROM prompt_node WHERE digest NOT IN (SELECT digest FROM live)
"""
_UNUSED_CONTENT = """
DELETE FROM content WHERE digest NOT IN (
  SELECT message_id FROM prompt_node
  UNION SELECT settings_id FROM llm_call
  UNION SELECT llm_id FROM llm_call
)
"""


def lock_and_count_active_jobs(project_id: UUID) -> int:
    """Return how many jobs of a project are active, and block new ones in the meantime.

    Raises:
        NotFoundError: there is no such project.
    """
    locked = ProjectRecord.objects.select_for_update()
    get_record(locked, "Project not found.", project_id=project_id)
    return JobRecord.objects.filter(project_id=project_id).exclude(state__in=_OVER).count()


def list_jobs(project_id: UUID) -> set[str]:
    """Return the ids of a project's jobs in the form that names their folders."""
    ids = JobRecord.objects.filter(project_id=project_id).values_list("id", flat=True)
    return {str(job_id) for job_id in ids}


def list_file_names(project_id: UUID) -> set[str]:
    """Return the hashes of files that no other project has."""
    names: set[str] = set()
    for model, path in find_tables():
        if any(field.name == "content_hash" for field in model._meta.fields):
            own = rows_of(model, path, project_id).values_list("content_hash", flat=True)
            others = records_of(model).exclude(**{path: project_id})
            names |= set(own) - set(others.values_list("content_hash", flat=True))
    return names


def count_rows(project_id: UUID) -> list[tuple[str, int]]:
    """Return how many rows of a project each table has; empty tables are left out."""
    counts = (
        (_title_of(model), rows_of(model, path, project_id).count())
        for model, path in find_tables()
    )
    return [(title, count) for title, count in counts if count]


def delete_rows(project_id: UUID) -> list[tuple[str, int]]:
    """Delete all rows of a project, and the parts of prompts that only it used.

    Call it in a transaction.

    Raises:
        IntegrityError: raised when the transaction ends, if something refers to deleted rows.
    """
    deleted = []
    for model, path in find_tables():
        rows = rows_of(model, path, project_id)
        # Tables of millions of rows: no signals are sent, and no row is read.
        count = records_of(model).filter(pk__in=rows.values("pk"))._raw_delete(connection.alias)
        deleted.append((_title_of(model), count))
    records_of(ProjectRecord).filter(id=project_id)._raw_delete(connection.alias)
    with connection.cursor() as cursor:
        cursor.execute(_UNUSED_NODES)
        cursor.execute(_UNUSED_CONTENT)
        deleted.append(("Stored messages", cursor.rowcount))
    return deleted


def _title_of(model: type[Model]) -> str:
    title = str(model._meta.verbose_name_plural)
    return title[:1].upper() + title[1:]
