"""The Django application of tapes and runs."""

from pathlib import Path

from django.apps import AppConfig


class TapesAppConfig(AppConfig):
    name = "tapes_app"
    verbose_name = "Tapes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Load the gallery's agents and a person's own, once in the life of the process."""
        from django.conf import settings

        from tapes_app.agents.services.plugins import load_plugins
        from tapes_app.environments.browser.chromium import chromium
        from tapes_app.environments.mcp.shelf import use_folder
        from tapes_app.environments.search.folders import folders
        from tapes_app.jobs.store.started_jobs import register_ending

        register_ending("import", "tapes_app.exchange.services.imports.leave_no_piece")
        load_plugins()
        data_dir = Path(settings.STUDIO_DATA_DIR)
        use_folder(data_dir)
        folders.use_data_folder(data_dir, may_be_unwalled=settings.STUDIO_UNWALLED_FUNCTIONS)
        chromium.path = settings.STUDIO_CHROMIUM
        chromium.may_be_unwalled = settings.STUDIO_UNWALLED_FUNCTIONS
        chromium.inner_hosts = settings.STUDIO_BROWSER_HOSTS if settings.STUDIO_ACCOUNTS else None
