"""Requests of jobs that were kept while parts of a query stood beside it: they open as before."""

from typing import Any
from uuid import UUID

import pytest

from tapes_app.engine.tape.dialog_steps import ActionFailure, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.exchange.services import export_jobs
from tapes_app.jobs.store.job import create_job
from tapes_app.models import JobRecord
from tapes_app.tapes.store.saving import save_tape
from tests.bulk.test_undo_log import migrated_from
from tests.exchange.test_exports_over_http import Place, place
from tests.http.asking import call
from tests.runs.browsers import work

__all__ = ["place"]

pytestmark = pytest.mark.django_db(transaction=True)

EMPTY = {"q": "", "search": "", "agent": "", "lint": "", "archived": False}
KEPT: list[tuple[dict[str, Any], list[str]]] = [
    (EMPTY, ["kept", "wrong", "question 0"]),
    ({**EMPTY, "search": 'find "(xylo'}, ["wrong"]),
    ({**EMPTY, "agent": "talker"}, ["question 0"]),
    ({**EMPTY, "agent": 'a "b" \\ c'}, []),
    ({**EMPTY, "lint": "any"}, []),
    ({"has_error": True}, ["wrong"]),
    ({"pinned": False, "archived": None}, ["away", "wrong", "question 0"]),
    ({"archived": True}, ["away"]),
    ({"archived": True, "q": "-is:archived title:wrong"}, ["wrong"]),
    ({"has_error": False, "q": 'kept OR find OR "seq: ("'}, ["kept"]),
    ({"has_error": False, "q": "kept OR find seq: kind:user"}, ["kept"]),
    ({"has_error": True, "q": "seq: kind:user -> error within 1"}, ["wrong"]),
]


def test_what_was_asked_for_before_writes_the_same_tapes_and_is_still_shown(place: Place) -> None:
    project, batch = place.world.project, str(place.world.batch)
    steps = (UserStep(content="find xylophones"), ActionFailure(error="no"))
    wrong = save_tape(project, Tape(steps=steps), title="wrong")
    for title, name in (("kept", "is_pinned"), ("away", "is_archived")):
        marked = save_tape(project, Tape(steps=(UserStep(content=title),)), title=title)
        change = {"tape_ids": [str(marked)], "change": {name: True}}
        call(place.client, "POST", "tapes/changes", change)
    named = {**EMPTY, "agent": "talker", "tape_ids": [str(wrong)]}
    kept = [*KEPT, ({**EMPTY, "batch": batch}, ["question 0"]), (named, ["wrong"])]
    with migrated_from("0019_one_undo_log"):
        asked = [(store(project, "export", **old), titles) for old, titles in kept]
        rerun = {"agent_version_id": str(place.world.version), "batch_name": "again", **EMPTY}
        rerun_id = store(project, "rerun", **rerun, has_error=True)
        JobRecord.objects.filter(id=rerun_id).update(state="failed")

    work()

    for (job_id, titles), (old, _) in zip(asked, kept, strict=True):
        told = call(place.client, "GET", f"exports/{job_id}")
        lines = (export_jobs.folder_of(job_id) / "file").read_text().splitlines()
        assert (lines[1:], told["tapes"]) == (titles, len(titles)), old
    assert call(place.client, "GET", f"reruns/{rerun_id}")["batch_name"] == "again"
    assert JobRecord.objects.get(id=rerun_id).request["q"] == "has:error"


def store(project: UUID, kind: str, **request: Any) -> UUID:
    form = {"format": "csv", "columns": ["title"]} if kind == "export" else {}
    return create_job(project, kind, request={**form, **request}, title="Kept").id
