"""What must hold on every page, whatever the tapes on it say."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, Dialog, Page, Request

_LAYOUT = """() => {
  const width = document.documentElement.clientWidth;
  const problems = [];
  if (document.documentElement.scrollWidth > width) problems.push("the page scrolls sideways");
  if (document.body.scrollWidth > width) problems.push("the body is wider than the page");
  const isScroller = (element) =>
    element !== null && (/(auto|scroll)/.test(getComputedStyle(element).overflowX)
      || isScroller(element.parentElement));
  for (const element of document.querySelectorAll("article, header, main, aside, h1, form")) {
    const { left, right, width: own } = element.getBoundingClientRect();
    if (own > 0 && (right > width + 1 || left < -1) && !isScroller(element.parentElement))
      problems.push(`<${element.tagName} class="${element.className}"> leaves the page`);
  }
  for (const element of document.querySelectorAll("article")) {
    if (element.scrollWidth > element.clientWidth + 1)
      problems.push(`a card is wider than its place: ${element.getAttribute("aria-label")}`);
  }
  return problems;
}"""
_MARKS = """() => ({
  owned: window.__owned ?? null,
  polluted: ({}).polluted ?? null,
  prototype: Object.keys(Object.prototype),
  base: document.querySelectorAll("base, iframe, object, embed").length,
})"""
# Left, right, embedded and overriding directions, isolates, marks, zero widths, controls.
_HIDDEN = (
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f"
    "\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff]"
)
_HIDDEN_TEXT = f"""() => {{
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {{
    const parent = node.parentElement;
    if (parent === null || parent.closest("script, style, textarea, .cm-editor") !== null) continue;
    if (/{_HIDDEN}/.test(node.data))
      found.push(`${{parent.tagName}}.${{parent.className}}: ${{node.data.slice(0, 80)}}`);
  }}
  return found;
}}"""


# A control is told apart within its card, line or dialog; the page around has its own names.
_NAMES = """() => {
  const controls = "button, a[href], input, select, textarea, [role=tab], [role=menuitem]";
  const places = "article, li, tr, [role=dialog], [role=menu], [role=listbox]";
  const seen = new Map();
  for (const element of document.querySelectorAll(controls)) {
    if (element.closest("[aria-hidden=true], [hidden]") || !element.checkVisibility()) continue;
    const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent;
    const name = (label ?? element.textContent).trim();
    if (name === "") continue;
    const place = element.parentElement.closest(places) ?? document.body;
    const known = seen.get(place) ?? seen.set(place, new Map()).get(place);
    known.set(name, [...(known.get(name) ?? []), element]);
  }
  const leads = (element) => element.closest("a")?.getAttribute("href") ?? element;
  return [...seen.values()].flatMap((known) => [...known]
    .filter(([, elements]) => new Set(elements.map(leads)).size > 1)
    .map(([name, elements]) => `${elements.length} controls are called ${name}`));
}"""


@contextmanager
def nothing_runs(page: Page, own_url: str) -> Iterator[None]:
    """Fail when a script of a tape ran, a dialog opened, or something elsewhere was asked."""
    dialogs: list[str] = []
    elsewhere: list[str] = []

    def close(dialog: Dialog) -> None:
        dialogs.append(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()

    def note(request: Request) -> None:
        if not request.url.startswith((own_url, "data:", "blob:")):
            elsewhere.append(request.url)

    context: BrowserContext = page.context
    page.on("dialog", close)
    context.on("request", note)
    try:
        yield
        assert_nothing_ran(page)
    finally:
        page.remove_listener("dialog", close)
        context.remove_listener("request", note)
    assert not dialogs + elsewhere, dialogs + elsewhere


def assert_nothing_ran(page: Page) -> None:
    marks = page.evaluate(_MARKS)
    assert marks == {"owned": None, "polluted": None, "prototype": [], "base": 0}, marks


def assert_layout_holds(page: Page) -> None:
    problems = page.evaluate(_LAYOUT)
    assert not problems, f"{page.url}: {problems}"


def list_shared_names(page: Page) -> list[str]:
    """Return what several controls of one place are called that do not do the same."""
    return list(page.evaluate(_NAMES))


def assert_nothing_hides(page: Page) -> None:
    """No character that reorders, hides or joins text is drawn as itself."""
    found = page.evaluate(_HIDDEN_TEXT)
    assert not found, f"{page.url}: {found!a}"
