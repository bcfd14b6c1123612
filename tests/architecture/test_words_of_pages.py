"""Labels that were replaced by the field's own words do not come back."""

import re

from tests.architecture.naming import FEATURES, ROOT

_REPLACED = (
    "Leave the innermost", "No plumbing", "Marks", "Where pairs part", "Everything is as it comes",
    "A hard stop for everything", "At work", "As the agent says", "As the agent names it",
    "Keep from training", "Total time", "Model time",
)  # fmt: skip


def test_no_page_shows_a_label_that_was_replaced() -> None:
    # Between quotes or tags: as a page shows it, rather than in a comment or in a name.
    shown = re.compile(rf"""["'>`]\s*({"|".join(_REPLACED)})\.?\s*["'<`]""")
    texts = {path: path.read_text("utf-8") for path in FEATURES.parent.rglob("*.tsx")}

    found = {
        f"{path.relative_to(ROOT)}: {label}"
        for path, text in texts.items()
        for label in shown.findall(text)
    }

    assert len(texts) > 300
    assert found == set()
