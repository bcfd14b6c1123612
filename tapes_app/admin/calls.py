"""Agents, models, and what was asked of them."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from tapes_app import models
from tapes_app.admin.recorded import RecordedAdmin, preview


@admin.register(models.AgentRecord)
class AgentAdmin(RecordedAdmin):
    list_display = ["name", "project", "created_at", "deleted_at"]
    list_filter = ["project"]
    search_fields = ["=id", "name"]


@admin.register(models.AgentVersionRecord)
class AgentVersionAdmin(RecordedAdmin):
    list_display = ["agent", "number", "digest", "created_at"]
    search_fields = ["=id", "=digest", "agent__name"]
    ordering = ["-created_at"]


@admin.register(models.ModelRecord)
class ModelAdmin(RecordedAdmin):
    list_display = ["name", "project", "litellm_model", "base_url", "has_key", "deleted_at"]
    list_filter = ["project"]
    search_fields = ["=id", "name", "litellm_model"]
    hidden_fields = ("api_key_encrypted",)

    @admin.display(boolean=True, description="key stored")
    def has_key(self, record: models.ModelRecord) -> bool:
        return bool(record.api_key_encrypted)


@admin.register(models.LLMCallRecord)
class LLMCallAdmin(RecordedAdmin):
    list_display = [
        "id",
        "prompt_id",
        "model_name",
        "input_tokens",
        "output_tokens",
        "cost_micro_usd",
        "duration_seconds",
        "started_at",
    ]
    search_fields = ["=id", "=prompt_id", "=prompt_digest", "=model_name"]
    search_help_text = "An id, a prompt id, a prompt digest or a model name, in full."
    hidden_fields = ("settings", "llm", "prompt_node")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("output", "source", "exact")

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return [*super().get_fields(request, obj), "llm_said", "settings_said"]

    @admin.display(description="LLM description")
    def llm_said(self, record: models.LLMCallRecord) -> str:
        return preview(record.llm.body)

    @admin.display(description="tools and other prompt keys")
    def settings_said(self, record: models.LLMCallRecord) -> str:
        return preview(record.settings.body)


@admin.register(models.CallTokensRecord)
class CallTokensAdmin(RecordedAdmin):
    list_display = ["call"]
    search_fields = ["=call__id"]
    ordering = ["call"]


@admin.register(models.PromptNodeRecord)
class PromptNodeAdmin(RecordedAdmin):
    list_display = ["digest_hex", "depth", "message_said"]
    list_display_links = None  # its key is binary and cannot stand in an address
    list_select_related = ["message"]
    ordering = ["digest"]

    @admin.display(description="digest")
    def digest_hex(self, record: models.PromptNodeRecord) -> str:
        return bytes(record.digest).hex()

    @admin.display(description="message")
    def message_said(self, record: models.PromptNodeRecord) -> str:
        return preview(record.message.body)


@admin.register(models.ContentRecord)
class ContentAdmin(RecordedAdmin):
    list_display = ["__str__", "preview"]
    list_display_links = None  # its key is binary and cannot stand in an address
    ordering = ["digest"]

    @admin.display(description="content")
    def preview(self, record: models.ContentRecord) -> str:
        return preview(record.body)
