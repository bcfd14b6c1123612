"""The student of the sample project: one click serves it from the copy that a visitor has."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from optimize_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app.projects.services.sample import SAMPLE_ID
from tests.jobs.builders import store_person, store_project
from tests.jobs.hosting import host_beside
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


class Visitor:
    """A person who has just opened the sample project."""

    def __init__(self) -> None:
        self._client = Client()
        self._client.force_login(User.objects.get(pk=store_person(store_project()).pk))
        self.ask("POST", "projects/sample", headers={})

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Any:
        answer = self._client.generic(
            method,
            f"/api/v1/{path}",
            "" if body is None else json.dumps(body),
            content_type="application/json",
            headers={"X-Project": str(SAMPLE_ID)} if headers is None else headers,
        )
        assert answer.status_code < 300, answer.content
        return answer.json()


def test_the_student_of_the_sample_is_served_from_its_copy_and_answers() -> None:
    visitor = Visitor()
    (adapter,) = visitor.ask("GET", "adapters")["items"]

    served = visitor.ask("POST", "served-models", {"adapter_id": adapter["id"]})
    with host_beside("serve") as host:
        found: dict[str, Any] = {}

        def is_ready() -> bool:
            found.update(visitor.ask("GET", f"served-models/{served['id']}"))
            assert found["state"] in {"starting", "ready"}, found
            return bool(found["state"] == "ready")

        wait_until(is_ready, "ready")
        tested = visitor.ask("POST", f"models/{found['model_id']}/test")
        host.stopping.set()

    assert found["parity"]["passed"]
    assert tested["is_ok"], tested
