"""A link to a server that can be cut and restored."""

import socket
import threading
from contextlib import suppress

_PIECE = 65536


class FlakyLink:
    """Listens on a separate port and passes everything on to a server, until it is cut."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._accept_from(self._listener)

    def cut(self) -> None:
        """Break every connection and accept no new one."""
        self._close(self._listener)
        for end in list(self._open):
            self._close(end)

    def join(self) -> None:
        """Accept connections again, on the same port."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._accept_from(self._listener)

    def _accept_from(self, listener: socket.socket) -> None:
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                ours, _ = listener.accept()
                theirs = socket.create_connection(self._target)
                self._open |= {ours, theirs}
                for source, sink in ((ours, theirs), (theirs, ours)):
                    threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(_PIECE):
                sink.sendall(piece)
        self._close(source)
        self._close(sink)

    def _close(self, end: socket.socket) -> None:
        self._open.discard(end)
        with suppress(OSError):  # `close` alone does not wake a thread that waits in it
            end.shutdown(socket.SHUT_RDWR)
        end.close()
