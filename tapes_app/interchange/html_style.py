"""How a shared tape looks: the colours of the studio, light and dark as the reader's system says.

The page names the hash of this text in its policy, so nothing of a tape can add a style.
"""

STYLE = """
:root {
  color-scheme: light dark;
  --surface: #ffffff; --surface-2: #f7f8fa; --line: #e3e6eb; --text: #1a1d22; --dim: #5c6370;
  --link: #4338ca; --communication: #8a5a00; --thought: #6d3fc4; --action: #1a5fc7;
  --observation: #1d7339; --control: #5a6270; --error: #b4232a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --surface: #14161a; --surface-2: #1a1d22; --line: #2b3038; --text: #e4e7ec; --dim: #9aa2ae;
    --link: #a5a8ff; --communication: #e0b04a; --thought: #b89cf5; --action: #7ab0f7;
    --observation: #6fcf8b; --control: #a3abb8; --error: #f28b8b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--surface); color: var(--text);
  font: 13px/20px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 960px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { margin: 0 0 8px; font-size: 18px; line-height: 24px; overflow-wrap: anywhere; }
h2, h3 { margin: 0; font-size: 12px; line-height: 20px; font-weight: 400; }
h2 { display: flex; flex-wrap: wrap; gap: 0 8px; margin-bottom: 4px; }
h3 { color: var(--dim); }
header { margin-bottom: 16px; padding-bottom: 12px; border-bottom: 1px solid var(--line); }
.facts { display: flex; flex-wrap: wrap; gap: 0 24px; margin: 0 0 8px; }
.facts div, .pair { display: flex; gap: 6px; min-width: 0; }
dt, .name, .quiet, .note, .by, small { color: var(--dim); }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.name { overflow-wrap: anywhere; font-size: 11px; }
p { margin: 4px 0; }
a { color: var(--link); }
.number { min-width: 24px; font-variant-numeric: tabular-nums; }
.family { color: var(--family); font-weight: 600; }
.kind, code, pre {
  font-family: ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", Consolas, monospace;
  font-size: 12px; overflow-wrap: anywhere; unicode-bidi: isolate;
}
article {
  margin: 0 0 8px; padding: 6px 12px 10px; border: 1px solid var(--line);
  border-left: 3px solid var(--family); border-radius: 4px;
}
article:target { background: var(--surface-2); }
article[data-family="communication"] { --family: var(--communication); }
article[data-family="thought"] { --family: var(--thought); }
article[data-family="action"] { --family: var(--action); }
article[data-family="observation"] { --family: var(--observation); }
article[data-family="control"] { --family: var(--control); }
article[data-family="error"] { --family: var(--error); }
pre { margin: 0; white-space: pre-wrap; line-height: 18px; }
pre.text {
  font-family: inherit; font-size: 13px; line-height: 20px;
}
pre.json, .call { padding-left: 10px; border-left: 1px solid var(--line); }
.field, .pair, .call { margin-top: 2px; }
details { margin-top: 4px; }
summary { cursor: pointer; overflow-wrap: anywhere; }
details.llm { margin-top: 8px; padding-top: 4px; border-top: 1px solid var(--line); }
details.llm > summary { color: var(--dim); }
section { margin-top: 6px; padding: 4px 8px; border-radius: 4px; background: var(--surface-2); }
img { display: block; max-width: 100%; max-height: 480px; }
.bad { color: var(--error); }
"""
