"""How a tool is described to a model: the text of its docstring, a schema without noise."""

from typing import Any


def read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Return a docstring's description of the function and of each argument.

    Understands the Google, NumPy and Sphinx styles. Return values and errors are left out, because
    a model cannot use them; notes and warnings are kept, because they concern it too.
    """
    if not text.strip():
        return "", {}
    # It takes as long to import as pydantic, and a process that offers no tool does not need it.
    from griffe import Docstring, DocstringSectionKind, PerStyleOptions, parse_auto

    quietly = PerStyleOptions(
        google={"warnings": False}, numpy={"warnings": False}, sphinx={"warnings": False}
    )
    words: list[str] = []
    about: dict[str, str] = {}
    for section in parse_auto(Docstring(text, lineno=1), per_style_options=quietly):
        match section.kind:
            case DocstringSectionKind.text:
                words.append(section.value)
            case DocstringSectionKind.admonition:
                words.append(f"{section.title}: {section.value.contents}")
            case DocstringSectionKind.parameters:
                for item in section.value:
                    about[item.name.lstrip("*")] = " ".join(item.description.split())
            case _:
                pass
    return "\n\n".join(words).strip(), about


def without_titles(schema: Any, *, is_properties: bool = False) -> Any:
    """Remove the titles that pydantic makes up: they cost tokens and add nothing."""
    if isinstance(schema, dict):
        return {
            key: without_titles(value, is_properties=key in ("properties", "$defs"))
            for key, value in schema.items()
            if is_properties or key != "title" or not isinstance(value, str)
        }
    if isinstance(schema, list):
        return [without_titles(item) for item in schema]
    return schema
