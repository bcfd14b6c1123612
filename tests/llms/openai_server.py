"""A real OpenAI-compatible server on the loopback, for tests: streams, tool calls, failures.

It takes requests to Anthropic's `/v1/messages` too, and answers them with the lines of a plan.

In a test: `with OpenAIServer() as server:` and `server.base_url`. By hand or for a browser test:
`python -m tests.llms.openai_server --port N`. What it does is chosen by the model's name
(`MODELS`), or planned request by request with `server.plan(Behaviour(...), ...)`.
"""

import argparse
import json
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Request = dict[str, Any]
Answer = Callable[[Request], dict[str, Any]]


@dataclass(frozen=True)
class Behaviour:
    """How one request is answered."""

    text: str | None = None
    """The answer; by default what `answer_sensibly` makes of the request."""

    answer: Answer | None = None
    """What makes the answer message of a request."""

    message: dict[str, Any] | None = None
    """The whole answer message, with `tool_calls` or `reasoning_content`."""

    status: int = 200
    error: str = ""
    code: str | None = None
    retry_after: str | None = None
    retry_after_ms: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    """Sent with the answer, whatever it is."""

    finish_reason: str | None = None
    """Why the answer ends; by default what its message says."""

    has_finish_reason: bool = True
    drop_after: int | None = None
    """Cut the connection after so many pieces, without an end."""

    delay_seconds: float = 0.0
    """Wait before each piece."""

    after: threading.Event | None = None
    """Say nothing before this is set, or nothing after `first` pieces."""

    first: int = 0

    hang_after: int | None = None
    """Say nothing more after so many pieces, until the server is closed."""

    is_streamed: bool = True
    has_usage: bool = True
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    raw_lines: tuple[str, ...] = field(default=())
    """Exactly these lines as the body of the stream."""

    stream: tuple[dict[str, Any] | str, ...] = ()
    """What is streamed, in order: an object is one `data:` line, a string is sent as it stands."""

    body: dict[str, Any] | None = None
    """The whole answer as JSON, not streamed; with a status of refusal, the whole refusal."""


MODELS: dict[str, Behaviour] = {
    "test-model": Behaviour(),
    "slow": Behaviour(delay_seconds=0.05),
    "very-slow": Behaviour(delay_seconds=0.3),
    "fail-401": Behaviour(status=401, error="Incorrect API key provided."),
    "fail-429": Behaviour(status=429, error="Rate limit reached.", retry_after="0"),
    "fail-500": Behaviour(status=500, error="The server had an error."),
    "drop": Behaviour(drop_after=3),
    "hang": Behaviour(hang_after=2),
}


class OpenAIServer:
    """Serves `/v1/chat/completions` and `/v1/models` on 127.0.0.1 in a thread."""

    def __init__(self, *, port: int = 0, default: Behaviour | None = None) -> None:
        self.requests: list[Request] = []
        """Bodies of the completions asked for, in order."""

        self.keys: list[str] = []
        """The Authorization header of each of them."""

        self.was_cut_off = threading.Event()
        """Set when a client went away in the middle of an answer."""

        self.closing = threading.Event()
        self.default = default
        self._plan: deque[Behaviour] = deque()
        self._server = _HTTPServer(("127.0.0.1", port), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.daemon = True

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def plan(self, *behaviours: Behaviour) -> None:
        """Answer the next requests so, one after the other; then by model name again."""
        self._plan.extend(behaviours)

    def next_behaviour(self, model: str) -> Behaviour:
        if self._plan:
            return self._plan.popleft()
        return self.default or MODELS.get(model, MODELS["test-model"])

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def serve_forever(self) -> None:
        self._server.serve_forever()


class _HTTPServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # many clients at once, none turned away
    owner: OpenAIServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that go away are part of the game."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _HTTPServer

    def do_GET(self) -> None:
        if not self.path.endswith("/models"):
            self._send_json(404, {"error": {"message": f"No such path: {self.path}"}})
            return
        models = [{"id": name, "object": "model", "owned_by": "tests"} for name in MODELS]
        self._send_json(200, {"object": "list", "data": models})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        if not self.path.endswith(("/chat/completions", "/messages")):
            self._send_json(404, {"error": {"message": f"No such path: {self.path}"}})
            return
        owner = self.server.owner
        owner.requests.append(body)
        owner.keys.append(self.headers.get("authorization", ""))
        behaviour = owner.next_behaviour(str(body.get("model", "")))
        if behaviour.after is not None and not behaviour.first:
            behaviour.after.wait()
        if behaviour.status != 200:
            asked = {
                "Retry-After": behaviour.retry_after,
                "Retry-After-Ms": behaviour.retry_after_ms,
            }
            told = {name: value for name, value in asked.items() if value}
            headers = {**behaviour.headers, **told}
            error = {"message": behaviour.error, "code": behaviour.code}
            self._send_json(behaviour.status, behaviour.body or {"error": error}, headers)
            return
        if behaviour.body is not None:
            self._send_json(200, behaviour.body)
            return
        message = _message_of(behaviour, body)
        usage = _usage(body, message, behaviour)
        if not (behaviour.is_streamed and body.get("stream")):
            self._send_json(200, _completion(body, message, usage))
            return
        try:
            self._stream(behaviour, body, message, usage)
        except OSError:
            owner.was_cut_off.set()

    def _stream(
        self, behaviour: Behaviour, body: Request, message: dict[str, Any], usage: dict[str, Any]
    ) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in behaviour.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for line in behaviour.raw_lines:
            self._write(line + "\n")
        for sent in behaviour.stream:
            self._write(sent if isinstance(sent, str) else f"data: {json.dumps(sent)}\n\n")
        if behaviour.raw_lines or behaviour.stream:
            self._write("")
            return
        pieces = list(_pieces(message))
        if body.get("return_token_ids"):
            asked = list(range(len(body.get("messages") or ())))
            self._send_event({**_chunk(body, {"delta": {}}), "prompt_token_ids": asked})
        for count, piece in enumerate(pieces):
            if count == behaviour.drop_after:
                self.close_connection = True
                self.connection.close()
                return
            if count == behaviour.hang_after:
                self._wait_for_the_end()
                return
            if behaviour.after is not None and count == behaviour.first:
                behaviour.after.wait()
            if behaviour.delay_seconds:
                time.sleep(behaviour.delay_seconds)
            self._send_event(_chunk(body, {"delta": piece, **_tokens(body, count, piece)}))
        usual = "tool_calls" if message.get("tool_calls") else "stop"
        reason = behaviour.finish_reason or usual
        if behaviour.has_finish_reason:
            self._send_event(_chunk(body, {"delta": {}, "finish_reason": reason}))
        if behaviour.has_usage and (body.get("stream_options") or {}).get("include_usage"):
            self._send_event({**_chunk(body, None), "usage": usage})
        self._write("data: [DONE]\n\n")
        self._write("")

    def _wait_for_the_end(self) -> None:
        """Hang until the client goes away, which reading its socket shows."""
        self.connection.settimeout(0.02)
        while not self.server.owner.closing.is_set():
            try:
                if not self.connection.recv(1):
                    self.server.owner.was_cut_off.set()
                    break
            except TimeoutError:
                continue
        self.close_connection = True

    def _send_event(self, chunk: dict[str, Any]) -> None:
        self._write(f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n")

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "surrogatepass")
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _send_json(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Stay silent."""


def answer_sensibly(body: Request) -> dict[str, Any]:
    """Return an answer that shows what was asked; `call NAME {JSON}` asks for that tool."""
    last = (body.get("messages") or [{}])[-1]
    content = last.get("content")
    text = content if isinstance(content, str) else json.dumps(content)
    tools = {tool["function"]["name"] for tool in body.get("tools") or ()}
    match = re.search(r"call (\w+) (\{.*\})", text)
    if match and match[1] in tools and last.get("role") == "user":
        function = {"name": match[1], "arguments": match[2]}
        return {"tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    if last.get("role") == "tool":
        return {"content": f"The tool answered: {text}"}
    return {"content": f"The test server heard: {text}"}


def _message_of(behaviour: Behaviour, body: Request) -> dict[str, Any]:
    if behaviour.message is not None:
        return behaviour.message
    if behaviour.answer is not None:
        return behaviour.answer(body)
    return answer_sensibly(body) if behaviour.text is None else {"content": behaviour.text}


def _pieces(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    for word in re.findall(r"\s*\S+|\s+", message.get("reasoning_content") or ""):
        yield {"reasoning_content": word}
    if refusal := message.get("refusal"):
        yield {"refusal": refusal}
    for word in re.findall(r"\s*\S+|\s+", message.get("content") or ""):
        yield {"content": word}
    for index, call in enumerate(message.get("tool_calls") or ()):
        function = call["function"]
        head = {**call, "index": index, "function": {"name": function["name"], "arguments": ""}}
        yield {"tool_calls": [head]}
        arguments = function["arguments"]
        for start in range(0, len(arguments), 7):
            part = {"arguments": arguments[start : start + 7]}
            yield {"tool_calls": [{"index": index, "function": part}]}


def _tokens(body: Request, number: int, piece: dict[str, Any]) -> dict[str, Any]:
    """Return what is said of the one token that a piece of text is, where that is asked for."""
    text = piece.get("content") or piece.get("reasoning_content")
    if not text:
        return {}
    found: dict[str, Any] = {}
    if body.get("logprobs"):
        token = {"token": text, "logprob": -number / 4, "bytes": None, "top_logprobs": []}
        found["logprobs"] = {"content": [token]}
    if body.get("return_token_ids"):
        found["token_ids"] = [100 + number]
    return found


def _usage(body: Request, message: dict[str, Any], behaviour: Behaviour) -> dict[str, Any]:
    """Count words: 1 token each, of the messages and of the answer."""
    asked = sum(len(str(m.get("content") or "").split()) for m in body.get("messages") or ())
    answered = len(json.dumps(message).split())
    usage: dict[str, Any] = {
        "prompt_tokens": asked,
        "completion_tokens": answered,
        "total_tokens": asked + answered,
    }
    if behaviour.cached_tokens:
        usage["prompt_tokens_details"] = {"cached_tokens": behaviour.cached_tokens}
    if behaviour.reasoning_tokens:
        usage["completion_tokens_details"] = {"reasoning_tokens": behaviour.reasoning_tokens}
    return usage


def _chunk(body: Request, choice: dict[str, Any] | None) -> dict[str, Any]:
    choices = [] if choice is None else [{"index": 0, "finish_reason": None, **choice}]
    return {**_head(body), "object": "chat.completion.chunk", "choices": choices}


def _completion(body: Request, message: dict[str, Any], usage: dict[str, Any]) -> dict[str, Any]:
    reason = "tool_calls" if message.get("tool_calls") else "stop"
    full = {"role": "assistant", "content": None, **message}
    choice = {"index": 0, "finish_reason": reason, "message": full}
    return {**_head(body), "object": "chat.completion", "choices": [choice], "usage": usage}


def _head(body: Request) -> dict[str, Any]:
    return {"id": "chatcmpl-test", "created": 1_726_531_200, "model": body.get("model", "")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--delay", type=float, default=0.02, help="seconds before each piece")
    options = parser.parse_args()
    server = OpenAIServer(port=options.port)
    MODELS["test-model"] = replace(MODELS["test-model"], delay_seconds=options.delay)
    print(f"{server.base_url} serves {', '.join(MODELS)}", flush=True)  # noqa: T201
    server.serve_forever()


if __name__ == "__main__":
    main()
