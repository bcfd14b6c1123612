"""Who may do what: edited here."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from tapes_app import models


@admin.register(models.ProjectRecord)
class ProjectAdmin(admin.ModelAdmin[models.ProjectRecord]):
    list_display = ["name", "created_at"]
    search_fields = ["name"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False  # its rows refuse anyway; an empty project does no harm


@admin.register(models.MembershipRecord)
class MembershipAdmin(admin.ModelAdmin[models.MembershipRecord]):
    list_display = ["user", "project", "role"]
    list_filter = ["role", "project"]
    list_select_related = ["user", "project"]
    search_fields = ["user__username", "project__name"]
    autocomplete_fields = ["user", "project"]
