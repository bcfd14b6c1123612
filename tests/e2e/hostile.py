"""Tapes and calls that somebody hostile wrote: every field tries to be more than text."""

import json
from pathlib import Path
from typing import Any

from tests.interchange.builders import build_row, store_rows

ELSEWHERE = "evil.example"
OWNED = "window.__owned=(window.__owned||0)+1"

MARKUP = [
    f"<script>{OWNED}</script>",
    f'<img src="http://{ELSEWHERE}/i.png" onerror="{OWNED}">',
    f"<svg onload='{OWNED}'><animate onbegin='{OWNED}'/></svg>",
    f'"><script>{OWNED}</script>',
    f"</textarea></title></style><script>{OWNED}</script>",
    f'<iframe src="http://{ELSEWHERE}/"></iframe><base href="http://{ELSEWHERE}/">',
    f'<link rel="stylesheet" href="http://{ELSEWHERE}/s.css">',
    f'<a href="javascript:{OWNED}">a link</a> [a link](javascript:{OWNED}) javascript:{OWNED}',
    f"data:text/html,<script>{OWNED}</script>",
    f'![image](http://{ELSEWHERE}/m.png) {{{{constructor.constructor("{OWNED}")()}}}}',
    '<div style="position:fixed;inset:0;z-index:9999;background:red">all over the page</div>',
]
ANSI = "\x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07link\x1b]8;;\x07 \x1b[2J"
BIDI = "annual\u202egpj.exe \u2066isolated\u2069 \u200fmark \u061cletter"
INVISIBLE = "zero\u200bwidth\u2060joined\ufeff nul\x00 soft\u00adhyphen tag\U000e0041 vs\ufe0f"
HALVES = "half \ud800 and \udc00 pairs"
UNBROKEN = "unbroken" * 300

MARKDOWN = "\n\n".join(
    [
        f"# <script>{OWNED}</script>",
        f"![picture](http://{ELSEWHERE}/m.png) ![data](data:image/svg+xml,<svg/onload={OWNED}>)",
        f"[script](javascript:{OWNED}) [data](data:text/html,x) <javascript:{OWNED}>",
        f"[file](file:///etc/passwd) [mail](mailto:a@{ELSEWHERE}) www.{ELSEWHERE}",
        "Hidden &#8238; by reference &#x200b; and &#0;",
        f"| a | b |\n|---|---|\n| <img src=x onerror={OWNED}> | `<b>` |",
        f"~~~html\n<script>{OWNED}</script>\n~~~",
        f"[^1]: <img src=x onerror={OWNED}>",
    ]
)

ALL = "\n".join([*MARKUP, ANSI, BIDI, INVISIBLE, HALVES, UNBROKEN])
LINE_BYTES = 5_000_000
ITEMS = 100_000
NAMES_OF_OBJECTS = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]

TITLE = f"Hostile {MARKUP[0]} {BIDI} {MARKUP[1]} {INVISIBLE}"
KIND = f"<img src=x onerror={OWNED}>\u202e{UNBROKEN}"[:100]
LONG_KIND = UNBROKEN[:100]
AGENT = f"{MARKUP[0]}/{MARKUP[1]}\u202e"[:200]
NODE = f"{MARKUP[2]}\u200b"
FILE_NAME = f"<img src=x onerror={OWNED}> \u202egnosj.json"
BATCH = f"Batch {MARKUP[0]} \u202ehctab"


def hostile_tapes() -> list[dict[str, Any]]:
    """Return two tapes: a short one to work with, and one of sheer size."""
    return [build_tape("hostile", *small_steps()), build_tape("heavy", *heavy_steps())]


def build_tape(name: str, *steps: dict[str, Any]) -> dict[str, Any]:
    numbered = [
        {"metadata": {"id": f"{name} {at} {MARKUP[1]}", **step_metadata(at)}, **step}
        for at, step in enumerate(steps)
    ]
    metadata = {
        "id": f"{name} {MARKUP[0]} ../../{name}",
        "author": AGENT,
        "parent_id": f"../{MARKUP[1]}",
        "result": {MARKUP[0]: ALL, "__proto__": {"polluted": True}},
    }
    return {"metadata": metadata, "context": {"text": ALL, "__proto__": 1}, "steps": numbered}


def step_metadata(at: int) -> dict[str, Any]:
    return {"agent": AGENT, "node": NODE, "prompt_id": prompt_id(at % 2), "other": {MARKUP[0]: 1}}


def prompt_id(number: int) -> str:
    return f"prompt-{number}-{MARKUP[0]}"


def small_steps() -> list[dict[str, Any]]:
    bad_call = {"id": MARKUP[1], "type": "function"}
    calls = [
        {**bad_call, "function": {"name": MARKUP[0], "arguments": json.dumps({MARKUP[1]: ALL})}},
        {**bad_call, "function": {"name": UNBROKEN, "arguments": f'{{"broken": {MARKUP[0]}'}},
    ]
    return [
        {"kind": "user", "content": f"{TITLE}\n{ALL}"},
        {"kind": KIND, "content": ALL, MARKUP[0]: MARKUP[1]},
        {"kind": "assistant", "content": ALL},
        {"kind": LONG_KIND, UNBROKEN: ALL},
        {"kind": "tool_calls", "tool_calls": calls},
        {"kind": "tool", "content": ALL, "tool_call_id": MARKUP[1]},
        {"kind": "keys", **{name: {"polluted": [MARKUP[0]]} for name in NAMES_OF_OBJECTS}},
        *({"kind": name, "content": f"the kind {name}"} for name in NAMES_OF_OBJECTS),
        {"kind": "deep_thought", "deep": nested(60)},
        {"kind": "call", "agent_name": AGENT, "content": MARKUP[0]},
        *reading_steps(),
        {"kind": "values", "a": MARKUP[0][:50], "b": BIDI, "c": "", UNBROKEN: 1, "e": [ALL]},
    ]


def reading_steps() -> list[dict[str, Any]]:
    """One step for each sort of card: Markdown, table, code, page, picture, error, plan, tree."""
    rows = [{MARKUP[0]: MARKUP[1], "__proto__": ALL, "url": f"javascript:{OWNED}"}] * 3
    page = {"text": ALL, "current_page": 1, "total_pages": 2, "url": f"http://{ELSEWHERE}/\u202e"}
    trace = f"Traceback (most recent call last):\n  {ALL}\n{MARKUP[1]}"
    pictures = [
        {"type": "image_url", "image_url": {"url": f"http://{ELSEWHERE}/i.png"}},
        {"type": "image_url", "image_url": {"url": f"data:image/svg+xml,<svg onload='{OWNED}'/>"}},
        {"type": "image_url", "image_url": {"url": f'data:image/png;base64,x" onerror="{OWNED}'}},
    ]
    return [
        {"kind": "assistant_thought", "content": MARKDOWN},
        {"kind": "tool", "content": json.dumps(rows), "tool_call_id": "x"},
        {"kind": f"python_{MARKUP[0][:20]}", "code": ALL, "language": MARKUP[1]},
        {"kind": "page_observation", **page},
        {"kind": "user", "content": pictures},
        {"kind": "tool", "content": trace, "is_error": True, "tool_call_id": MARKUP[0]},
        {"kind": "plan_thought", "plan": [ALL, MARKUP[0] * 3]},
        {"kind": "tool", "content": {MARKUP[0]: {MARKUP[1]: [ALL] * 40}}, "tool_call_id": "x"},
        {"kind": "set_next_node", "next_node": f"{MARKUP[0][:20]}\u202e"},
    ]


def heavy_steps() -> list[dict[str, Any]]:
    return [
        {"kind": "user", "content": "Heavy"},
        {"kind": "note_thought", "content": "y" * LINE_BYTES},
        {"kind": "note_thought", "items": list(range(ITEMS))},
        {"kind": "note_thought", "texts": [MARKUP[0]] * 5000},
        *({"kind": "note_thought", "content": f"{at} {ALL}"} for at in range(200)),
    ]


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"end": MARKUP[0]}
    for _ in range(depth):
        value = {MARKUP[0][:30]: value}
    return value


def store_calls(path: Path) -> Path:
    """Write a database of two calls, whose prompts and outputs are hostile in every field."""
    function = {"name": MARKUP[0], "description": ALL, "parameters": {MARKUP[1]: ALL}}
    rows = []
    for number in range(2):
        prompt = {
            "id": prompt_id(number),
            "tools": [{"type": "function", "function": function}],
            "messages": [
                {"role": "system", "content": ALL},
                {"role": MARKUP[0], "content": [{"type": "text", "text": ALL}, {MARKUP[0]: 1}]},
                {"role": "tool", "content": MARKUP[1], "name": MARKUP[0], "__proto__": {"a": 1}},
            ],
        }
        output = {"role": "assistant", "content": ALL, "tool_calls": None, MARKUP[0]: ALL}
        info = {"model_name": MARKUP[1], "parameters": {MARKUP[0]: ALL}}
        columns = {"prompt": prompt, "output": output, "llm_info": info}
        rows.append(build_row(prompt_id=prompt_id(number), **columns))
    return store_rows(path, *rows)
