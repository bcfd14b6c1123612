"""The Django application of tapes and runs."""

from django.apps import AppConfig


class TapesAppConfig(AppConfig):
    name = "tapes_app"
    verbose_name = "Tapes"
    default_auto_field = "django.db.models.BigAutoField"
