"""The web application: Django for HTTP, Channels for websockets."""

import os
import warnings

from django.core.asgi import get_asgi_application

# whitenoise answers static files as Django's FileResponse, which has no asynchronous form.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")
django_application = get_asgi_application()

# These imports need the applications to be loaded, which `get_asgi_application` does.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import WebsocketDenier  # noqa: E402
from django.urls import re_path  # noqa: E402

from studio.origins import SameOriginOnly  # noqa: E402
from studio.space import SpaceForUploads  # noqa: E402
from tapes_app.jobs.api.consumer import websocket_urlpatterns  # noqa: E402
from tapes_app.projects.api.sign_in import SignedIn  # noqa: E402

# The stubs of Django and Channels disagree about what a route may point to.
_addresses = [*websocket_urlpatterns, re_path("", WebsocketDenier.as_asgi())]  # type: ignore[arg-type]
_router = URLRouter(_addresses)  # type: ignore[arg-type]

application = ProtocolTypeRouter(
    {
        "http": SpaceForUploads(django_application),
        "websocket": SameOriginOnly(SignedIn(_router)),
    }
)
