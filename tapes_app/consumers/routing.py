"""Addresses of the websocket consumers."""

from django.urls import URLPattern, path

from tapes_app.consumers.jobs import JobConsumer

websocket_urlpatterns: list[URLPattern] = [
    # Channels routes ASGI applications by Django's paths; Django's types know views only.
    path("ws/jobs/<uuid:job_id>", JobConsumer.as_asgi()),  # type: ignore[arg-type]
]
