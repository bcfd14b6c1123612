"""One LLM call of `tapedata.sqlite`: row to our call and back, with equal data in every column.

Our call cannot represent naive local times, counts of -1, fractions of a micro dollar, or nulls in
place of absent fields. These go into `source`, which is stored with the call.
"""

from datetime import UTC
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.llm import CallTokens, LLMCall, LLMOutput, Prompt, Usage
from tapes_app.engine.model.messages import canonical_json, digest_json
from tapes_app.engine.redaction import REDACTED
from tapes_app.interchange.refusals import FormatProblem
from tapes_app.interchange.tapedata import CALL_COLUMNS, SourceRow

SOURCE_FORMAT = "tapedata"
_Model = TypeVar("_Model", bound=BaseModel)

TOKENS_KEY = "recorded_tokens"
"""Where an output carries the tokens of its call: the format has no column for them."""

UNKNOWN_COUNT = -1
_LONGEST_PROMPT_ID = 100
_MAX_COUNT = 2**31 - 1
_MAX_COST_USD = 1_000_000.0
_MICRO = 1_000_000
# Words that name a secret in an LLM's description; such a value is never stored.
_SECRET_WORDS = ("token", "key", "secret", "password", "authorization", "credential")
_HARMLESS_WORDS = ("max_", "tokens", "tokenizer", "token_count", "token_ids")


class ImportedCall(FrozenModel):
    """A recorded call, the part of its row that the call cannot hold, and a digest of the row."""

    call: LLMCall
    source: dict[str, Any]
    digest: str
    size: int
    """Characters of its JSON."""

    position: str


def decode_call(row: SourceRow, *, file: str = "") -> ImportedCall:
    """Turn a row into a call.

    Raises:
        FormatProblem: prompt or output is not an object, or the prompt has no usable id.
    """
    columns = row.columns
    position = f"table {row.table}, row {row.number}"
    prompt_id = columns["prompt_id"]
    if not isinstance(prompt_id, str) or len(prompt_id) > _LONGEST_PROMPT_ID:
        raise FormatProblem(
            f"prompt_id is not text of up to {_LONGEST_PROMPT_ID} characters", position=position
        )
    for name in ("prompt", "output"):
        if not isinstance(columns[name], dict):
            raise FormatProblem(f"column {name} is not a JSON object", position=position)
    llm_info = _without_secrets(columns.get("llm_info"))
    output = dict(columns["output"])
    call = LLMCall(
        tokens=_take_tokens(output),
        prompt=_fit(Prompt, columns["prompt"] | {"id": prompt_id}),
        output=_fit(LLMOutput, output),
        usage=Usage(
            input_tokens=_known_count(columns["prompt_length_tokens"]),
            output_tokens=_known_count(columns["output_length_tokens"]),
        ),
        cost_micro_usd=_known_cost(columns.get("cost")),
        llm=llm_info if isinstance(llm_info, dict) else {},
        is_cached=bool(columns["cached"]),
    )
    own = {n: v for n, v in columns.items() if n not in ("prompt", "output")}
    if "llm_info" in own:
        own["llm_info"] = llm_info
    kept = {**columns, "llm_info": llm_info}
    digest = digest_json(kept).hex()
    source = {
        "format": SOURCE_FORMAT,
        "file": file,
        "digest": digest,
        "columns": own,
        "prompt": _remainder(columns["prompt"], _dump(call.prompt)),
        "output": _remainder(columns["output"], _dump_output(call)),
    }
    return ImportedCall(
        call=call,
        source=source,
        digest=digest,
        size=len(canonical_json(kept)),
        position=position,
    )


def encode_call(call: LLMCall, source: dict[str, Any] | None, *, number: int) -> SourceRow:
    """Return the row of a call; for an imported call, the row that it came from."""
    if source is None or source.get("format") != SOURCE_FORMAT:
        return SourceRow(table="LLMCalls", number=number, columns=_new_columns(call))
    own = dict(source["columns"])
    own["prompt"] = _restore(source["prompt"], _dump(call.prompt))
    own["output"] = _restore(source["output"], _dump_output(call))
    order = [name for name in CALL_COLUMNS if name in own]
    columns = {name: own[name] for name in order} | own
    return SourceRow(table="LLMCalls", number=number, columns=columns)


def _new_columns(call: LLMCall) -> dict[str, Any]:
    started = call.started_at.astimezone(UTC).replace(tzinfo=None) if call.started_at else None
    output = {"content": None, "role": "assistant", "tool_calls": None} | _dump_output(call)
    counts = [call.usage.input_tokens, call.usage.output_tokens]
    return {
        "prompt_id": call.prompt.id,
        "timestamp": started.isoformat() if started else None,
        "prompt": {"id": call.prompt.id, "tools": None, "messages": []} | _dump(call.prompt),
        "output": output,
        "prompt_length_tokens": UNKNOWN_COUNT if counts[0] is None else counts[0],
        "output_length_tokens": UNKNOWN_COUNT if counts[1] is None else counts[1],
        "cached": int(call.is_cached),
        "llm_info": _without_secrets(call.llm),
        "cost": (call.cost_micro_usd or 0) / _MICRO,
    }


def _take_tokens(output: dict[str, Any]) -> CallTokens | None:
    """Remove the tokens that we wrote into an output and return them; anything else stays there."""
    try:
        tokens = CallTokens.model_validate(output[TOKENS_KEY])
    except (KeyError, ValidationError):
        return None
    del output[TOKENS_KEY]
    return tokens


def _dump_output(call: LLMCall) -> dict[str, Any]:
    tokens = {TOKENS_KEY: call.tokens.to_json()} if call.tokens else {}
    return _dump(call.output) | tokens


def _dump(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(mode="json", exclude_unset=True)


def _fit(model: type[_Model], fields: dict[str, Any]) -> _Model:
    """Build a model from the fields that fit it; the other fields go into the remainder."""
    fitting = {name: value for name, value in fields.items() if value is not None}
    while True:
        try:
            return model.model_validate(fitting)
        except ValidationError as error:
            wrong = {str(problem["loc"][0]) for problem in error.errors() if problem["loc"]}
            if not wrong & set(fitting):
                raise FormatProblem("a prompt or an output is invalid") from error
            fitting = {name: value for name, value in fitting.items() if name not in wrong}


def _remainder(original: dict[str, Any], held: dict[str, Any]) -> dict[str, Any]:
    """Return what is needed to rebuild `original` from `held`, even if that gains defaults."""
    nulls = [name for name, value in original.items() if value is None]
    others = {
        name: value
        for name, value in original.items()
        if value is not None
        and (name not in held or canonical_json(held[name]) != canonical_json(value))
    }
    return {"fields": list(original), "nulls": nulls, "values": others}


def _restore(remainder: dict[str, Any], held: dict[str, Any]) -> dict[str, Any]:
    values, nulls = remainder["values"], set(remainder["nulls"])
    return {
        name: None if name in nulls else values[name] if name in values else held.get(name)
        for name in remainder["fields"]
    }


def _known_count(value: Any) -> int | None:
    is_count = isinstance(value, int) and 0 <= value <= _MAX_COUNT
    return int(value) if is_count else None


def _known_cost(value: Any) -> int | None:
    # The recording tool writes 0 where it knows no price; an unknown price is not a free call.
    if not isinstance(value, int | float) or not 0 < value < _MAX_COST_USD:
        return None
    return round(value * _MICRO)


def _without_secrets(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: REDACTED
            if inner and _is_secret(name) and isinstance(inner, str)
            else _without_secrets(inner)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [_without_secrets(inner) for inner in value]
    return value


def _is_secret(name: str) -> bool:
    lowered = name.lower()
    if any(word in lowered for word in _HARMLESS_WORDS):
        return False
    return any(word in lowered for word in _SECRET_WORDS)
