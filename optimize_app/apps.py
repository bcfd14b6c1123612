"""The Django application of training and evaluation."""

from django.apps import AppConfig


class OptimizeAppConfig(AppConfig):
    name = "optimize_app"
    verbose_name = "Optimizing"
    default_auto_field = "django.db.models.BigAutoField"
