"""The Django application of sign-in, health and the start command."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class StudioConfig(AppConfig):
    name = "studio"
    verbose_name = "Studio"

    def ready(self) -> None:
        """Make ours the Celery application of every process, as commands queue jobs as well."""
        from studio import celery  # noqa: F401


class StudioAdminConfig(SimpleAdminConfig):
    """Django's admin with the operator's desk as its site."""

    default_site = "studio.admin_site.OperatorSite"
