"""A server that breaks as told: answers in an order, and streams that end in the middle."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: Any = None
    events: Sequence[dict[str, Any]] | None = None
    """Sent as a stream, in place of the body."""

    breaks: bool = False
    """Close the connection in the middle of the stream."""


@dataclass
class FlakyServer:
    """Gives its answers one after the other and keeps what it was asked."""

    answers: list[Answer]
    asked: list[str] = field(default_factory=list)
    url: str = ""


@contextmanager
def serving(*answers: Answer) -> Iterator[FlakyServer]:
    told = FlakyServer([*answers])

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: Any) -> None:
            pass

        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            told.asked.append(f"{self.command} {self.path.removeprefix('/api/v1')}")
            answer = told.answers.pop(0)
            self.send_response(answer.status)
            if answer.events is None:
                self._send_body(json.dumps(answer.body).encode())
            else:
                self._send_events(answer)

        do_GET = do_POST = do_PUT = answer  # noqa: N815

        def _send_body(self, text: bytes) -> None:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def _send_events(self, answer: Answer) -> None:
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for event in answer.events or ():
                lines = f"id: {event['seq']}\nevent: {event['type']}\ndata: {json.dumps(event)}\n\n"
                self.wfile.write(f"{len(lines):x}\r\n{lines}\r\n".encode())
            if answer.breaks:
                self.close_connection = True
            else:
                self.wfile.write(b"0\r\n\r\n")

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
