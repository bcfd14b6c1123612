"""The rate limit of a model: what one worker is told of it, all of them wait for."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from tapes_app.agents.domain.rows import ModelRow
from tapes_app.agents.services.llm_configs import build_stored_llm
from tapes_app.agents.store.llm_models import load_model
from tapes_app.engine.errors import LLMTransientError
from tapes_app.engine.model.llm import LLM, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.models import ModelRecord, ProjectRecord
from tests.http.asking import call
from tests.llms.collecting import collect
from tests.llms.openai_server import Behaviour, OpenAIServer

pytestmark = pytest.mark.django_db(transaction=True)

LIMIT = Behaviour(status=429, error="Slow down.", retry_after="600")


def make_model(studio: Client, project: ProjectRecord, server: OpenAIServer) -> ModelRow:
    model = {"name": "busy", "litellm_model": "openai/x", "base_url": server.base_url}
    made = call(studio, "POST", "models", {**model, "deadline_seconds": 60}, expect=201)
    return load_model(UUID(made["id"]), project.id)


def ask(llm: LLM) -> str | None:
    prompt = Prompt(messages=(user_message("Say hello"),))
    _, result = asyncio.run(collect(llm, prompt))
    return result.output.content


def test_what_one_worker_is_told_holds_for_all_until_a_test_shows_otherwise(
    studio: Client, project: ProjectRecord, model_server: OpenAIServer
) -> None:
    row = make_model(studio, project, model_server)
    one, another, third = (build_stored_llm(project.id, row) for _ in range(3))
    model_server.plan(LIMIT)

    with pytest.raises(LLMTransientError, match="429"):
        ask(one)
    with pytest.raises(LLMTransientError, match="at its rate limit for another 600 seconds"):
        ask(another)
    asked_meanwhile = len(model_server.requests)
    tested = call(studio, "POST", f"models/{row.id}/test")

    assert asked_meanwhile == 1
    assert tested["is_ok"]
    assert ask(third) == "The test server heard: Say hello"


def test_a_changed_model_is_asked_at_once_and_no_clock_holds_one_for_ever(
    studio: Client, project: ProjectRecord, model_server: OpenAIServer
) -> None:
    row = make_model(studio, project, model_server)
    far = timezone.now() + timedelta(days=3650)  # told while a clock went wrong
    ModelRecord.objects.update(limited_until=far)

    with pytest.raises(LLMTransientError, match="another 3,600 seconds"):
        ask(build_stored_llm(project.id, row))
    call(studio, "PATCH", f"models/{row.id}", {"parameters": {"temperature": 0}})

    assert ask(build_stored_llm(project.id, row)) == "The test server heard: Say hello"
