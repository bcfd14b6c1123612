"""The page of the query language, written from the table that defines query fields."""

from collections.abc import Iterator

from studio.reference.tables import write_table
from tapes_app.library.domain.tape_query.completion import EXAMPLES
from tapes_app.library.domain.tape_query.fields import FIELDS, STEP_FIELDS, STEP_WORDS, Field
from tapes_app.library.domain.tape_query.sequences import FARTHEST, MOST_STEPS, MOST_TESTS
from tapes_app.library.domain.tape_query.values import UNITS

_BEGINNING = (
    "# Query language\n\nWritten by `make generate` from the table of query fields. How to use it "
    "is in [find-tapes.md](find-tapes.md). Conditions are written side by side and must all "
    'hold; `OR` and parentheses group them, `-` or `NOT` negates. Words alone, and `"words in '
    'quotes"`, are looked for in steps, titles, tasks and answers.'
)


def write_queries() -> str:
    """Return the page as Markdown."""
    return "\n".join([_BEGINNING, *_describe_fields(), *_describe_steps(), ""])


def _describe_fields() -> Iterator[str]:
    yield "\n## Fields"
    rows = ((f"`{field.name}`", _write_taken(field), field.help) for field in FIELDS.values())
    yield from write_table(("field", "takes", "meaning"), rows)
    yield (
        "\n`:` takes one value or several, separated by commas, one of which must hold; `!=` is "
        'none of them; `:""` is nothing there. Fields with `<` also take `<=`, `>`, `>=`, `=` and '
        "ranges: `10..50`, `10..`, `..50`."
    )


def _describe_steps() -> Iterator[str]:
    yield (
        "\n## Steps in sequence\n\n`seq:` comes last: `seq: tool_error -> same_call within 2 -> "
        f"final_answer`. At most {MOST_STEPS} steps, of at most {MOST_TESTS} conditions each, and "
        f"`within` at most {FARTHEST:,}. `-` before a condition negates it."
    )
    rows = [(f"`{word}`", help) for word, help in STEP_WORDS.items()]
    rows += [(f"`{name}:…`", help) for name, help in STEP_FIELDS.items()]
    yield from write_table(("condition", "a step that is, or has"), rows)


def _write_taken(field: Field) -> str:
    if field.choices:
        return ", ".join(f"`{choice}`" for choice in field.choices)
    if not field.is_ordered:
        return "`:` text"
    units = [unit for unit in UNITS.get(field.type, {}) if unit]
    suffix = f" with {', '.join(f'`{unit}`' for unit in units)}" if units else ""
    _, example, _ = EXAMPLES[field.type]
    return f"`:` or `<` {field.type}{suffix}: `{field.name}>{example}`"
