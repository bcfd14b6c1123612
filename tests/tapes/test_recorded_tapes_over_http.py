"""Real tapes over HTTP: every page of every recorded tape can be opened."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tapes_app.exchange.services.import_files import import_files
from tapes_app.interchange.folders import collect_files
from tapes_app.models import ProjectRecord
from tests.recordings import EACH_FOLDER

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def get(client: Client, path: str) -> Any:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 200, (path, answer.content[:500])
    return json.loads(answer.content, parse_constant=_refuse)


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


@pytest.mark.parametrize("folder", EACH_FOLDER)
def test_every_page_of_a_recorded_tape_opens(
    studio: Client, project: ProjectRecord, folder: Path
) -> None:
    report = import_files(project.id, collect_files(folder), batch_name=folder.name)
    assert report.imported, report

    for row in get(studio, "tapes?limit=200")["items"]:
        address = f"tapes/{row['id']}"
        get(studio, address)
        steps = get(studio, f"{address}/steps?count=500")["items"]
        assert len(get(studio, f"{address}/outline")["kind"]) == len(steps)
        if steps:
            get(studio, f"{address}/steps/{len(steps) - 1}/views")
            get(studio, f"{address}/steps/{len(steps) - 1}/form")
        kinds = {step["kind"]: step["position"] for step in steps}
        calls = {step["call_id"]: step["position"] for step in steps if step["call_id"]}
        for position in kinds.values():
            get(studio, f"{address}/steps/{position}/schema")
        for position in calls.values():
            get(studio, f"{address}/steps/{position}/call")
        assert get(studio, f"{address}/diff/{row['id']}")["first_divergence"] is None
