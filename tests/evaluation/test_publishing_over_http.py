"""Publishing: refused until the pinned suites pass, and how versions score on these."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tapes_app.models import MembershipRecord, ProjectRecord
from tests.commands.running import fail, run, run_lines
from tests.evaluation.test_suites_over_http import SuiteBench, bench
from tests.http.asking import call

__all__ = ["bench"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


def versions_of(bench: SuiteBench, agent: str) -> list[str]:
    """Return the ids of an agent's versions, oldest first."""
    return [one["id"] for one in reversed(bench.ask("GET", f"agents/{agent}")["versions"])]


def publish(bench: SuiteBench, agent: str, version: str, expect: int, **body: Any) -> Any:
    path = f"agents/{agent}/publications"
    return bench.ask("POST", path, {"version_id": version, **body}, expect)


def test_a_version_is_published_when_its_pinned_suite_passes(bench: SuiteBench) -> None:
    agent = bench.add_careless()
    (tape,) = bench.fail_some(agent, 1)
    made = bench.make_test(tape, suite="smoke", at=1, name="Spoons")
    suite = made["suite_id"]
    (first,) = versions_of(bench, agent)
    bench.ask("PUT", f"agents/{agent}/suites/{suite}", expect=204)
    bench.ask("PUT", f"agents/{agent}/suites/{suite}", expect=204)

    refused = publish(bench, agent, first, 409)
    assert refused["code"] == "suite_not_passed"
    assert "not run by this version: 'Spoons'" in refused["message"]
    assert "evaluate --suite 'smoke' --agent careless@1" in refused["message"]

    # Another model or other parameters are something else than the version.
    bench.run_suite(suite, parameters={"script": {"error_rate": 0.0}})
    assert "not run by this version" in publish(bench, agent, first, 409)["message"]

    bench.run_suite(suite)
    assert "failed: 'Spoons'" in publish(bench, agent, first, 409)["message"]
    shown = bench.ask("GET", f"agents/versions/{first}/readiness")
    (stood,) = shown["suites"]
    assert (stood["test_count"], stood["passed_count"]) == (1, 0)
    assert stood["open_tests"][0]["tape_id"]

    anyway = publish(bench, agent, first, 201, anyway=True)
    assert anyway["despite"] == stood["sentence"]

    bench.mend(agent)
    second = versions_of(bench, agent)[-1]
    row = bench.ask("GET", f"agents/{agent}")
    assert (row["published_version"], row["default_version_id"]) == (1, first)
    assert "careless  v2, v1 published" in run_lines("agents", "list")
    assert "not run by this version" in fail("agents", "publish", "careless@2")

    bench.run_suite(suite)
    assert run("agents", "publish", "careless") == "v2 of 'careless' is published."

    # An earlier version is refused like any other.
    assert "failed: 'Spoons'" in fail("agents", "publish", "agent:careless@1")

    row = bench.ask("GET", f"agents/{agent}")
    assert (row["published_version"], row["default_version_id"]) == (2, second)
    assert [(one["number"], bool(one["despite"])) for one in row["publications"]] == [
        (2, False),
        (1, True),
    ]
    (pinned,) = bench.ask("GET", f"agents/{agent}/suites")
    curve = [(one["number"], one["score"]["estimate"]["value"]) for one in pinned["scores"]]
    assert curve == [(1, 0.0), (2, 1.0)]
    opened = bench.look(pinned["scores"][1]["sweep_id"])
    assert opened["sweep"]["variants"][0]["agent_version_id"] == second
    assert run_lines("agents", "show", "careless")[0] == "smoke: v1 0%, v2 100%"

    # A verdict is of the check that was asked.
    change = {"check": {"kind": "no_error"}}
    bench.ask("PUT", f"tapes/{made['tape_id']}/regression-test", change, 204)
    assert "not run by this version" in publish(bench, agent, second, 409)["message"]


def test_only_an_owner_goes_around_a_suite(bench: SuiteBench) -> None:
    agent = bench.add_careless()
    (version,) = versions_of(bench, agent)
    suite = bench.ask("POST", "datasets", {"name": "smoke"}, 201)["id"]
    bench.ask("PUT", f"agents/{agent}/suites/{suite}", expect=204)
    member = Client()
    max_ = User.objects.create_user("max", password="x")
    MembershipRecord.objects.create(project=ProjectRecord.objects.get(), user=max_, role="member")
    member.force_login(max_)

    path, body = f"agents/{agent}/publications", {"version_id": version}
    refused = call(member, "POST", path, {**body, "anyway": True}, expect=403)
    assert "Only owners" in refused["message"]
    call(member, "DELETE", f"agents/{agent}/suites/{suite}", expect=403)
    assert "has no tests" in call(member, "POST", path, body, expect=409)["message"]
    # Deleting a suite does not open the way either.
    bench.ask("DELETE", f"datasets/{suite}", expect=204)
    assert "was deleted" in call(member, "POST", path, body, expect=409)["message"]

    assert run("agents", "unpin", "careless", "smoke").endswith("published without 'smoke'.")
    made = call(member, "POST", path, body, expect=201)
    assert (made["published_by"], made["despite"]) == ("max", "")


def test_what_is_not_there_is_not_pinned_or_published(bench: SuiteBench) -> None:
    agent, other = bench.add_careless(), bench.agent_version
    suite = bench.ask("POST", "datasets", {"name": "smoke"}, 201)["id"]

    bench.ask("PUT", f"agents/{agent}/suites/{uuid4()}", expect=404)
    bench.ask("PUT", f"agents/{uuid4()}/suites/{suite}", expect=404)
    publish(bench, agent, str(uuid4()), 404)
    publish(bench, agent, other, 404)
    assert "pins no suite" in fail("agents", "unpin", "careless", "smoke")
    assert bench.ask("GET", f"agents/{agent}")["publications"] == []


def test_a_shell_names_versions_as_http_does(bench: SuiteBench) -> None:
    agent = bench.add_careless()
    bench.mend(agent)

    refused = fail("agents", "publish", "careless@published")
    assert "No version of agent 'careless' is published" in refused
    assert "careless@2" in refused

    run("agents", "publish", "agent:careless@1")
    assert run("agents", "publish", "careless@published") == "v1 of 'careless' is published."
    assert run("agents", "publish", "careless") == "v2 of 'careless' is published."
    assert run("agents", "publish", "agent:careless@published").startswith("v2 of ")
    # Rolled back: each publication stays, with who made it.
    run("agents", "publish", "careless@1")
    made = bench.ask("GET", f"agents/{agent}")["publications"]
    assert [one["number"] for one in made] == [1, 2, 2, 1, 1]
    assert all(one["published_by"] for one in made)


def test_what_two_versions_achieved_is_compared_where_they_were_measured(
    bench: SuiteBench,
) -> None:
    agent = bench.add_careless()
    (tape,) = bench.fail_some(agent, 1)
    suite = bench.make_test(tape, suite="smoke", at=1)["suite_id"]
    bench.mend(agent)
    first, second = versions_of(bench, agent)
    path = f"agents/versions/outcomes?a={first}&b={second}"
    assert bench.ask("GET", path) == [], "the sweep that failed was of tapes, not of a dataset"

    bench.ask("PUT", f"agents/{agent}/suites/{suite}", expect=204)
    (row,) = bench.ask("GET", path)
    assert (row["name"], row["is_pinned"], row["a"], row["b"]) == ("smoke", True, None, None)

    both = [{"agent_version_id": one} for one in (first, second)]
    shared = bench.start(name="both", variants=both)
    bench.finish(shared)
    # A newer sweep of one version alone is not compared with an older one of the other.
    bench.finish(bench.start(name="alone", variants=both[1:]))
    bench.finish(bench.ask("POST", f"suites/{suite}/run", {}, expect=202)["id"])

    smoke, math = bench.ask("GET", path)
    assert (smoke["name"], smoke["a"], smoke["b"]["passed_count"]) == ("smoke", None, 1)
    assert (math["name"], math["is_pinned"]) == ("math-test", False)
    assert [math[side]["sweep_id"] for side in "ab"] == [shared, shared]
    assert [(math[side]["number"], math[side]["passed_count"]) for side in "ab"] == [(1, 0), (2, 3)]
    assert [math[side]["score"]["estimate"]["value"] for side in "ab"] == [0.0, 1.0]

    bench.ask("DELETE", f"datasets/{math['dataset_id']}", expect=204)
    bench.ask("DELETE", f"datasets/{suite}", expect=204)
    assert bench.ask("GET", path) == []
    bench.ask("GET", f"agents/versions/outcomes?a={first}&b={uuid4()}", expect=404)
