"""The web process: uvicorn on a socket that its parent opened and keeps open."""

import gc
import socket
import sys
from importlib import import_module

import uvicorn
from django.conf import settings


def serve(listener: socket.socket) -> None:
    """Serve on a socket until SIGTERM.

    The parent keeps the socket open, so a restarted web process finds the same port free and
    connections that arrive in between wait instead of being refused.
    """
    config = uvicorn.Config(
        "studio.asgi:application",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=list(settings.STUDIO_TRUSTED_PROXIES),
        timeout_graceful_shutdown=3,
        # Longer than that of proxies and scripts: they close an idle connection first, so none
        # sends a request into a connection that is being closed here.
        timeout_keep_alive=75,
        # Frames are small and many: compressing each took a quarter of this process's time.
        ws_per_message_deflate=False,
        ws_max_size=64 * 1024,  # browsers only listen; commands go over HTTP
    )
    config.load()
    import_module(settings.ROOT_URLCONF)
    settle_memory()
    uvicorn.Server(config).run(sockets=[listener])


def settle_memory() -> None:
    """Exempt permanent objects from garbage collection; call it once everything is loaded."""
    # What is loaded by now stays. The collector would scan all of it again and again, and each time
    # no request is answered for a third of a second.
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
