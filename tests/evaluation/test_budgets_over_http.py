"""A budget is hard: no call is sent beyond it, and every run that was paid for is scored."""

from threading import Event

import pytest

from tapes_app.models import JobRecord
from tests.evaluation.bench import Bench, bench
from tests.evaluation.test_sweeps_over_http import chat_with
from tests.jobs.hosting import workers_beside
from tests.llms.conftest import model_server
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.waiting import wait_until

__all__ = ["bench", "model_server"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]

AT_ONCE = 8


@pytest.mark.parametrize("bench", [60], indirect=True)
@pytest.mark.parametrize("calls", [50, 30])
def test_runs_side_by_side_send_as_many_calls_as_they_may_and_each_is_scored(
    bench: Bench, model_server: OpenAIServer, calls: int
) -> None:
    answers = Event()
    model_server.default = Behaviour(text="42", after=answers)
    variant = chat_with(bench, model_server)
    job = bench.start(variants=[variant], budget={"calls": calls}, concurrency=AT_ONCE)

    with workers_beside("agents", "agents", "serve"):
        wait_until(lambda: len(model_server.requests) == AT_ONCE, "runs side by side")
        answers.set()
        bench.wait_for(job)
    shown = bench.look(job)

    (found,) = shown["variants"]
    scored = found["passed_count"] + found["failed_count"]
    assert (len(model_server.requests), scored) == (calls, calls)
    assert (found["llm_call_count"], found["missing_count"]) == (calls, 60 - calls)
    assert f"The budget of {calls} LLM calls is used up." in shown["sweep"]["message"]
    assert not JobRecord.objects.filter(finished_at__isnull=True).exists()
