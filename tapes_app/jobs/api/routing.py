"""Addresses of the websocket consumers."""

from django.urls import URLPattern, path

from tapes_app.jobs.api.consumer import JobConsumer

websocket_urlpatterns: list[URLPattern] = [
    # Channels routes ASGI applications by Django's paths; Django's types know views only.
    path("ws/jobs/<uuid:job_id>", JobConsumer.as_asgi()),  # type: ignore[arg-type]
]
