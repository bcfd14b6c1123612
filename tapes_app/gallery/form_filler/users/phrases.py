"""The phrases of users: templates for each thing that they say."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

Templates = tuple[str, ...]


@dataclass(frozen=True)
class Phrases:
    """Templates by what they say; see `writing.write_sentence` for their signs."""

    before: Templates
    """Polite words before a sentence."""

    after: Templates
    joiners: Templates
    """Words between two things in one message."""

    ask_form: Templates
    short_form: Templates
    ask_forms: Templates
    impossible: Templates
    answer: Templates
    yes: Templates
    no: Templates
    give: Templates
    """Name a slot and its value."""

    give_wrong: Templates
    change: Templates
    by_trait: Templates
    by_position: Templates
    skip: Templates
    skip_required: Templates
    ask_fact: Mapping[str, Templates]
    """By the topic of the fact."""

    ask_option: Templates
    ask_filled: Templates
    ask_missing: Templates
    advice: Templates
    off_topic: Templates
    confirm: Templates
    leave: Templates
    stay: Templates

    def list_templates(self) -> tuple[str, ...]:
        """Return all templates that are sentences by themselves."""
        found: list[str] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("before", "after", "joiners"):
                continue
            groups = value.values() if isinstance(value, Mapping) else (value,)
            found += [template for group in groups for template in group]
        return tuple(found)
