"""Agents, models, and LLM calls."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse

from tapes_app import models
from tapes_app.admin.columns import preview
from tapes_app.admin.confirming import Question, ask, is_confirmed
from tapes_app.admin.recorded import RecordedAdmin, Related
from tapes_app.agents.services.llm_models import describe_retired, retire_key
from tapes_app.engine.errors import StudioError


@admin.register(models.AgentRecord)
class AgentAdmin(RecordedAdmin):
    list_display = ["name", "project", "created_at", "deleted_at"]
    list_filter = ["project"]
    search_fields = ["=id", "name"]
    related = (
        Related("Versions", models.AgentVersionRecord, "agent"),
        Related("Publications", models.AgentPublicationRecord, "agent"),
    )


@admin.register(models.AgentVersionRecord)
class AgentVersionAdmin(RecordedAdmin):
    list_display = ["__str__", "agent", "number", "project", "digest", "created_at"]
    prefetch_in_list = ("agent", "project")
    search_fields = ["=id", "agent__name"]
    ordering = ["-created_at"]
    related = (Related("Tapes", models.TapeRecord, "agent_version"),)


@admin.register(models.AgentDraftRecord)
class AgentDraftAdmin(RecordedAdmin):
    list_display = ["agent", "base", "revision", "changed_by", "updated_at"]
    search_fields = ["agent__name"]
    related = (Related("States", models.AgentDraftStateRecord, "draft"),)


@admin.register(models.AgentDraftStateRecord)
class AgentDraftStateAdmin(RecordedAdmin):
    list_display = ["draft", "number", "size"]
    list_select_related = ["draft__agent"]
    search_fields = ["draft__agent__name"]


@admin.register(models.AgentPublicationRecord)
class AgentPublicationAdmin(RecordedAdmin):
    list_display = ["version", "project", "owner", "despite", "created_at"]
    list_filter = ["project"]
    list_select_related = ["version__agent"]
    search_fields = ["=id", "agent__name"]


@admin.register(models.ModelRecord)
class ModelAdmin(RecordedAdmin):
    list_display = [
        "name",
        "project",
        "litellm_model",
        "base_url",
        "has_key",
        "key_retired_at",
        "deleted_at",
    ]
    list_filter = ["project"]
    search_fields = ["=id", "name", "litellm_model"]
    hidden_fields = ("api_key_encrypted",)
    actions: Any = ["retire_keys"]

    @admin.display(boolean=True, description="key stored")
    def has_key(self, record: models.ModelRecord) -> bool:
        return bool(record.api_key_encrypted)

    def has_retire_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may retire keys; Django looks up this name."""
        return request.user.has_perm("tapes_app.change_modelrecord")

    @admin.action(description="Retire the keys of the selected models", permissions=["retire"])
    def retire_keys(
        self, request: HttpRequest, chosen: QuerySet[models.ModelRecord]
    ) -> TemplateResponse | None:
        if not is_confirmed(request):
            return ask(self, request, chosen, action="retire_keys", question=_RETIRE)
        for model in chosen:
            try:
                message = describe_retired(retire_key(model.id, model.project_id))
            except StudioError as error:
                self.message_user(request, error.message, messages.WARNING)
            else:
                self.log_change(request, model, message)
                self.message_user(request, message, messages.SUCCESS)
        return None


_RETIRE = Question(
    title="Retire model keys",
    sentence=(
        "The keys of these models are removed from the database and cannot be restored. Runs, "
        "sweeps and judges with them are refused until they are given new ones. Running jobs "
        "keep the key until they end: cancel them, or also revoke the key at its provider. Backups "
        "made earlier still contain the key, encrypted."
    ),
    button="Retire the keys",
)


@admin.register(models.LLMCallRecord)
class LLMCallAdmin(RecordedAdmin):
    grows = True
    list_display = [
        "prompt_id",
        "project",
        "tape",
        "model_name",
        "input_tokens",
        "output_tokens",
        "cost_micro_usd",
        "duration_seconds",
        "started_at",
    ]
    list_filter = ["project"]
    prefetch_in_list = ("project", "tape")
    search_fields = ["=id", "=tape__id"]
    search_help_text = "The id of a call or of a tape, in full."
    ordering = ["-pk"]
    orders_within: ClassVar = {"project": ("-prompt_id",)}
    hidden_fields = ("settings", "llm", "prompt_node")
    related = (
        Related("Steps", models.StepRecord, "llm_call"),
        Related("Tokens", models.CallTokensRecord, ""),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("output", "source", "exact")

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return [*super().get_fields(request, obj), "llm_json", "settings_json"]

    @admin.display(description="LLM description")
    def llm_json(self, record: models.LLMCallRecord) -> str:
        return preview(record.llm.body)

    @admin.display(description="tools and other prompt keys")
    def settings_json(self, record: models.LLMCallRecord) -> str:
        return preview(record.settings.body)


@admin.register(models.CallTokensRecord)
class CallTokensAdmin(RecordedAdmin):
    grows = True
    list_display = ["call"]
    search_fields = ["=call__id"]
    ordering = ["call"]


@admin.register(models.PromptNodeRecord)
class PromptNodeAdmin(RecordedAdmin):
    grows = True
    list_display = ["digest_hex", "depth", "message_json"]
    list_display_links = None  # its key is binary and cannot be part of a URL
    prefetch_in_list = ("message",)
    ordering = ["digest"]

    @admin.display(description="digest")
    def digest_hex(self, record: models.PromptNodeRecord) -> str:
        return bytes(record.digest).hex()

    @admin.display(description="message")
    def message_json(self, record: models.PromptNodeRecord) -> str:
        return preview(record.message.body)


@admin.register(models.ContentRecord)
class ContentAdmin(RecordedAdmin):
    grows = True
    list_display = ["__str__", "preview"]
    list_display_links = None  # its key is binary and cannot be part of a URL
    ordering = ["digest"]

    @admin.display(description="content")
    def preview(self, record: models.ContentRecord) -> str:
        return preview(record.body)
