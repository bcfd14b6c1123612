"""What MkDocs does beyond its theme: links out of `docs` become text, scripts become files.

The search finds guides before the records of decisions. Pages also open in the theme that their
reader chose in the studio (`docs/theme.js`).

The studio's content security policy blocks inline scripts, and the site is read offline, where a
file of the repository has no address.
"""

import hashlib
import posixpath
import re
from pathlib import Path
from typing import Any

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
_SEARCH = re.compile(r'(<div class="md-search"[^>]*role="dialog")')
_BEHIND_GUIDES = 0.001
"""A word in a title counts a thousand times one in a text."""
_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Return the text with files of the repository named instead of linked."""
    folder = posixpath.dirname(page.file.src_uri)
    if folder == "adr":
        page.meta["search"] = {"boost": _BEHIND_GUIDES}

    def name(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[2]))
        return link[1] if target.startswith("../") else link[0]

    return _LINK.sub(name, markdown)


def on_post_template(_: str, **__: Any) -> str:
    """Leave out standalone templates: a page for unknown addresses, a map for search engines."""
    return ""


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Return the page in the studio's theme, its search labelled, its inline scripts in files."""
    folder = Path(config.site_dir) / "assets" / "inline"
    root = "../" * page.url.count("/")

    def move(script: re.Match[str]) -> str:
        name = f"{hashlib.sha256(script[1].encode()).hexdigest()[:16]}.js"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(script[1], encoding="utf-8")
        return f'<script src="{root}assets/inline/{name}"></script>'

    labelled = _SEARCH.sub(r'\1 aria-label="Search"', output)
    # Behind the scripts of the head, which define where the theme keeps its settings.
    themed = labelled.replace("</head>", f'<script src="{root}theme.js"></script></head>', 1)
    return _INLINE_SCRIPT.sub(move, themed)
