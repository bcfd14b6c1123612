"""An agent called by a second client library, litellm, from another process."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from django.core.asgi import get_asgi_application

from tests.runs.callers import WEATHER, Caller, caller
from tests.waiting import PATIENCE_SECONDS, wait_until

__all__ = ["caller"]

pytestmark = pytest.mark.django_db(transaction=True)

PROGRAM = """
import json, os, sys
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # no table of prices from the network
import litellm

given = json.load(sys.stdin)
place = given["place"]
asked = [{"role": "user", "content": "How is Oslo?"}]
said = litellm.completion(messages=asked, **place)
called = litellm.completion(messages=asked, tools=[given["tool"]], **place)
chunks = list(litellm.completion(messages=asked, stream=True, **place))
first = litellm.responses(input="one", **place)
follows = {"previous_response_id": first.id, **place}
events = list(litellm.responses(input="two", stream=True, **follows))
print(json.dumps({
    "said": said.choices[0].message.content,
    "called": called.choices[0].message.tool_calls[0].function.name,
    "streamed": "".join(chunk.choices[0].delta.content or "" for chunk in chunks),
    "first": first.output[0].content[0].text,
    "events": "".join(one.delta for one in events if one.type == "response.output_text.delta"),
}))
"""


@contextmanager
def serve() -> Iterator[str]:
    """Serve the studio on a free port, and return the address for OpenAI's clients."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        options = uvicorn.Config(get_asgi_application(), lifespan="off", log_level="warning")
        server = uvicorn.Server(options)
        serving = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        serving.start()
        try:
            wait_until(lambda: server.started)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/api/v1/openai"
        finally:
            server.should_exit = True
            serving.join(PATIENCE_SECONDS)


def test_litellm_chats_and_gets_responses_streamed_or_not(caller: Caller) -> None:
    with serve() as address:
        place = {"model": "openai/agent:called@1", "api_base": address, "api_key": caller.token}

        ran = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=json.dumps({"place": place, "tool": WEATHER}),
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout.splitlines()[-1]) == {
        "said": "2: How is Oslo?",
        "called": "weather",
        "streamed": "2: How is Oslo?",
        "first": "2: one",
        "events": "4: two",
    }
    assert caller.tapes()[-1] == ["one", "two"]
