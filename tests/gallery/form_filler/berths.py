"""A form with a slot of every type, and a rule between two of them."""

from typing import Any

from tapes_app.gallery.form_filler.forms import FunctionSchema

BERTH: dict[str, Any] = {
    "name": "BookBerth",
    "description": "Books a berth. A large berth is for boats from 12 metres on.",
    "parameters": {
        "type": "object",
        "properties": {
            "boat": {"type": "string", "description": "Name of the boat", "maxLength": 40},
            "berth": {"type": "string", "enum": ["small", "large", "dry dock"]},
            "arrival": {"type": "string", "format": "date"},
            "departure": {"type": "string", "format": "date"},
            "hour": {"type": "string", "format": "time", "default": "12:00"},
            "email": {"type": "string", "format": "email"},
            "site": {"type": "string", "format": "uri"},
            "length": {"type": "number", "minimum": 2, "maximum": 40},
            "crew": {"type": "integer", "minimum": 1},
            "power": {"type": "boolean"},
            "plate": {"type": "string", "pattern": "[A-Z]{2}-[0-9]{3}"},
        },
        "required": ["boat", "berth", "arrival"],
    },
    "return_value": {"type": "object", "properties": {"request_id": {"type": "string"}}},
    "rules": [
        {"earlier": "arrival", "later": "departure"},
        {"slot": "length", "other": "berth", "value": "large"},
    ],
}


def read_berth(**changes: Any) -> FunctionSchema:
    return FunctionSchema.read({**BERTH, **changes})
