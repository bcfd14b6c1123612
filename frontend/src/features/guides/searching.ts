/** Which guides hold some words, and where. */
import { DOCUMENTS } from "@/features/guides/documents";
import { GUIDES, type Guide } from "@/features/guides/guideList";

export interface Hit {
  guide: Guide;
  /** The heading below which the words are first found, as its anchor; "" above the first. */
  anchor: string;
  /** The line that holds the first word. */
  line: string;
}

/** Return the guides that hold every word, those first whose title does. */
export function searchGuides(typed: string): Hit[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = GUIDES.filter(({ name }) => holds(DOCUMENTS.get(name) ?? ""));
  const inTitle = found.filter(({ title }) => holds(title));
  return [...new Set([...inTitle, ...found])].map((guide) => findPlace(guide, words));
}

function findPlace(guide: Guide, words: readonly string[]): Hit {
  let anchor = "";
  let best: Hit = { guide, anchor, line: "" };
  let most = 0;
  for (const line of (DOCUMENTS.get(guide.name) ?? "").split("\n")) {
    const heading = /^#{2,4} (.+)$/.exec(line)?.[1];
    if (heading !== undefined) anchor = anchorOf(heading);
    const count = words.filter((word) => line.toLowerCase().includes(word)).length;
    if (count > most) {
      most = count;
      best = { guide, anchor, line: plainLine(line) };
    }
  }
  return best;
}

/** Return the headings of a guide that its own list shows, without the signs of Markdown. */
export function listHeadings(text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, "");
  return [...prose.matchAll(/^##? (.+)$/gm)].map(([line]) => plainLine(line));
}

/** Return a line without the signs of Markdown. */
function plainLine(line: string): string {
  return line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*|]+/g, " ")
    .replace(/^[\s#>-]+/, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Return the anchor of a heading, as code hosts make it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}
