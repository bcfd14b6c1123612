"""The log of what operators did: Django's, which the admin shows and nobody edits."""

from django.contrib.admin.models import CHANGE, LogEntry


def log_action(user_id: int, about: str, said: str) -> None:
    """Write down what a person did with something that has no row of its own."""
    LogEntry.objects.create(
        user_id=user_id, object_repr=about[:200], action_flag=CHANGE, change_message=said
    )
