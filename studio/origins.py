"""Which pages may open a websocket: those that the studio itself served."""

from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host


class SameOriginOnly:
    """Rejects a websocket whose page came from elsewhere; a script with a token has no page.

    Cookies are sent to every port of a host, so the host alone does not distinguish a page of the
    studio from a page of another program on this machine: host and port must both match.
    """

    def __init__(self, application: object) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, object], receive: object, send: object) -> object:
        headers = scope.get("headers")
        assert isinstance(headers, list)
        application = self.application if is_same_origin(headers) else WebsocketDenier()
        return await application(scope, receive, send)  # type: ignore[operator]


def is_same_origin(headers: list[tuple[bytes, bytes]]) -> bool:
    """Return whether Host is one of ours, and Origin is that very host and port.

    Every browser sends an Origin, and none lets a page set `Authorization` on a websocket: a client
    with only the latter is a script, and its token is all that it has.
    """
    values = {name.lower(): value.decode("latin1") for name, value in headers}
    host = values.get(b"host", "")
    domain, _ = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        return False
    if b"origin" not in values and b"authorization" in values:
        return True
    origin = urlsplit(values.get(b"origin", ""))
    return origin.scheme in {"http", "https"} and origin.netloc.lower() == host.lower()
