"""A version whose plugin or model is gone: a sentence with its place, and nothing is lost."""

from typing import Any

import pytest
from django.test import Client

from tapes_app.models import AgentVersionRecord
from tests.http.asking import call
from tests.http.worlds import World

pytestmark = pytest.mark.django_db

GONE_NODE = {"type": "gone_plugin.PlanNode", "settings": {"name": "say", "depth": 3}}


def lose(world: World, part: str) -> None:
    """Leave the version as it is after its plugin was removed, or its model was deleted."""
    version = AgentVersionRecord.objects.get(pk=world.version)
    changes: dict[str, Any] = {
        "node": {"nodes": [GONE_NODE]},
        "agent type": {"type": "gone_plugin.Planner"},
        "environment": {"environment": "gone_plugin-world"},
        "script": {"llms": {"default": {"model": "script:gone_plugin", "parameters": {}}}},
        "model": {"llms": {"default": {"model": "tiny", "parameters": {}}}},
    }
    version.spec = {**version.spec, **changes[part]}
    version.save()


LOST = [
    ("node", "/nodes/0/type", "There is no node type 'gone_plugin.PlanNode'"),
    ("agent type", "/type", "There is no agent type 'gone_plugin.Planner'"),
    ("environment", "/environment", "There is no environment named 'gone_plugin-world'"),
    ("script", "/llms/default/model", "There is no script named 'gone_plugin'"),
    ("model", "/llms/default/model", "There is no LLM model named 'tiny'"),
]


@pytest.mark.parametrize(("part", "path", "message"), LOST, ids=[part for part, _, _ in LOST])
def test_what_a_version_lost_has_its_place_and_everything_else_stays(
    studio: Client, world: World, part: str, path: str, message: str
) -> None:
    lose(world, part)
    call(studio, "DELETE", f"models/{world.model}", expect=204)
    stored = AgentVersionRecord.objects.get(pk=world.version).spec

    draft = call(studio, "GET", f"agents/{world.agent}/draft")
    again = {"agent_version_id": str(world.version), "at": 1}
    refused = call(studio, "POST", f"tapes/{world.tape}/resume", again, expect=422)
    fit = call(studio, "GET", f"tapes/{world.tape}/fit?agent_version={world.version}")
    yaml = studio.get(f"/api/v1/agents/versions/{world.version}/yaml")

    problems = [one for one in draft["problems"] if one["severity"] == "error"]
    assert [one["path"] for one in problems] == [path]
    assert message in problems[0]["message"]
    assert refused["code"] == "agent_config"
    assert message in refused["message"]
    assert message in fit["problems"][0]["message"]
    assert draft["spec"] == stored
    assert yaml.status_code == 200
    assert call(studio, "GET", f"agents/{world.agent}")["versions"][0]["spec"] == stored
    assert [one["name"] for one in call(studio, "GET", "agents")] == ["talker"]
    assert call(studio, "GET", f"tapes/{world.tape}/steps")["items"]
