"""What a transform makes of a tape: edit operations, from which `engine.splice` makes a child.

Nothing recorded is changed. A change without effect gives no operation.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, assert_never

from tapes_app.bulk.transform.places import change_places, change_texts, read_places
from tapes_app.bulk.transform.replacing import replace_in_text
from tapes_app.bulk.transform.tools import change_calls, change_context
from tapes_app.bulk.transform.transforms import (
    ChangeTool,
    CustomTransformUse,
    DropSteps,
    ReplaceText,
    SetValue,
    Transform,
    check_transform,
    transforms,
)
from tapes_app.engine.errors import StudioError, TransformError
from tapes_app.engine.tape.splice import OPERATIONS, DeleteStep, Operation, ReplaceStep, splice
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.text_pattern import compile_pattern

Fields = dict[str, Any]
Rewrite = Callable[[Fields], Any]
"""Takes a step's fields without kind and metadata; returning the same object means unchanged."""


def plan_transform(tape: Tape, wanted: Sequence[Transform]) -> tuple[Operation, ...]:
    """Return the operations of transforms applied one after the other; empty if nothing changes.

    Raises:
        TransformError: one of them cannot be applied to this tape; the message explains why.
    """
    operations: list[Operation] = []
    current = tape
    for number, transform in enumerate(wanted):
        found = _operations(current, transform)
        operations += found
        if found and number < len(wanted) - 1:
            current = splice(current, found, author="")
    return tuple(operations)


def _operations(tape: Tape, transform: Transform) -> list[Operation]:
    match transform:
        case ReplaceText():
            return _rewrite(tape, transform.step_kinds, _text_rewrite(transform))
        case SetValue(value=value, pointer=pointer):
            names = read_places(pointer)
            put = partial(_unless_same, value)
            return _rewrite(
                tape, transform.step_kinds, lambda fields: change_places(fields, names, put)
            )
        case DropSteps(step_kinds=kinds):
            dropped = (at for at in reversed(range(len(tape))) if tape[at].kind in kinds)
            return [DeleteStep(position=position) for position in dropped]
        case ChangeTool():
            changed = _rewrite(tape, (), partial(change_calls, change=transform))
            return [*changed, *change_context(tape.context, transform)]
        case CustomTransformUse():
            return _custom(tape, transform)
        case _:
            assert_never(transform)


def _text_rewrite(transform: ReplaceText) -> Rewrite:
    pattern = compile_pattern(transform.pattern, ignore_case=transform.ignore_case)
    names = read_places(transform.pointer)
    change = partial(replace_in_text, pattern, transform.replacement)
    return lambda fields: change_places(fields, names, lambda value: change_texts(value, change))


def _rewrite(tape: Tape, kinds: Sequence[str], rewrite: Rewrite) -> list[Operation]:
    found: list[Operation] = []
    for position, step in enumerate(tape):
        if kinds and step.kind not in kinds:
            continue
        body = step.to_json()
        fields = {name: value for name, value in body.items() if name not in {"kind", "metadata"}}
        changed = rewrite(fields)
        if changed is not fields:
            found.append(ReplaceStep(position=position, step={"kind": step.kind, **changed}))
    return found


def _unless_same(new: Any, old: Any) -> Any:
    """Return `old` unless the values differ as JSON, where 1 and true are different."""
    return old if json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True) else new


def _custom(tape: Tape, transform: CustomTransformUse) -> list[Operation]:
    check_transform(transform)
    try:
        found = transforms.get(transform.name)(tape, transform.settings)
        return list(OPERATIONS.validate_python(tuple(found)))
    except StudioError:
        raise
    except Exception as error:  # a plugin's function may fail in any way
        raise TransformError(
            f"Transform {transform.name!r} failed: {type(error).__name__}: {error}"
        ) from error
