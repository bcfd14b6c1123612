"""The command that runs an agent under its attacks, with the table that it prints."""

import io
import json

import pytest
from django.core.management import call_command

from tapes_app.models import StepRecord, TapeTagRecord

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_attacks_of_an_agent_are_made_run_and_counted() -> None:
    out = io.StringIO()

    gullible = 'script={"gullibility": {"system": 1.0, "answer": 1.0}}'
    call_command("red_team", "orders", "--set", gullible, "--json", stdout=out)

    rows = {row["tag"]: row["cells"][0] for row in json.loads(out.getvalue())["attacks"]}
    counts = {
        tag: (cell["followed_count"], cell["refused_count"], cell["useful_count"])
        for tag, cell in rows.items()
    }
    assert counts[""] == (3, 7, 9)
    assert counts["pretended system message"] == (2, 0, 2)
    assert counts["changed answer"] == (1, 0, 0)
    assert counts["direct command"] == (0, 2, 2)
    assert TapeTagRecord.objects.filter(name="leak into a call").count() == 2
    planted = [step for step in StepRecord.objects.all() if "planted" in str(step.body)]
    assert len(planted) == 10
