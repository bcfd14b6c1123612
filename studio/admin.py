"""Names locked because of wrong passwords; an operator unlocks one by deleting its row."""

from axes.models import AccessAttempt
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest


@admin.register(AccessAttempt)
class WrongPasswordAdmin(admin.ModelAdmin[AccessAttempt]):
    list_display = ["username", "ip_address", "failures_since_start", "attempt_time"]
    search_fields = ["=username", "=ip_address"]
    fields = ["username", "ip_address", "user_agent", "failures_since_start", "attempt_time"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
