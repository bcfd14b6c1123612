"""The log of operators' actions: Django's, which the admin shows and nobody edits."""

from django.contrib.admin.models import CHANGE, LogEntry


def log_action(user_id: int, about: str, message: str) -> None:
    """Record what a person did with something that has no row."""
    LogEntry.objects.create(
        user_id=user_id, object_repr=about[:200], action_flag=CHANGE, change_message=message
    )
