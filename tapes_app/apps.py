"""The Django application of tapes and runs."""

from django.apps import AppConfig


class TapesAppConfig(AppConfig):
    name = "tapes_app"
    verbose_name = "Tapes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Load the agents that ship and a person's own, once for the life of the process."""
        from tapes_app.agents.services.plugins import load_plugins

        load_plugins()
