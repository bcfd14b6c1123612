/** Marks the texts of cards that notes are about, without changing the DOM.
 *
 * The browser's highlights paint ranges, so no element is inserted into the text, which belongs to
 * the component that draws the card. Browsers without them still show the notes.
 */
import { findWords } from "@/features/tape-editor/notes/anchors";

const NOTED = "studio-noted";
const SHOWN = "studio-noted-now";
const SHOWN_MS = 2500;
const ranges = new Map<Element, readonly Range[]>();

/** Marks these quotes in a card, replacing its previous marks. */
export function markQuotes(card: Element, quotes: readonly string[]): void {
  const found = quotes.map((quote) => findRange(card, quote)).filter((range) => range !== null);
  if (found.length === 0) ranges.delete(card);
  else ranges.set(card, found);
  paint(NOTED, [...ranges.values()].flat());
}

/** Scrolls the text of a note into view and marks it briefly. */
export function revealQuote(index: number, quote: string): void {
  const card = cardOf(index);
  const range = card === null ? null : findRange(card, quote);
  const place = range?.startContainer.parentElement ?? card;
  place?.scrollIntoView({ block: "center", behavior: "instant" });
  if (range === null) return;
  paint(SHOWN, [range]);
  setTimeout(() => paint(SHOWN, []), SHOWN_MS);
}

export function cardOf(index: number): Element | null {
  return document.querySelector(`article[data-step="${index}"]`);
}

function paint(name: string, found: readonly Range[]): void {
  if (!("highlights" in CSS)) return;
  if (found.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...found));
}

const MOST_TEXT = 300_000;

/** The first place in a card that contains the drawn words of a quote. */
function findRange(card: Element, quote: string): Range | null {
  const nodes: { node: Text; start: number }[] = [];
  let text = "";
  const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  for (let next = walker.nextNode(); next !== null; next = walker.nextNode()) {
    if (!(next instanceof Text)) continue;
    nodes.push({ node: next, start: text.length });
    text += next.data;
    if (text.length > MOST_TEXT) break;
  }
  const found = findWords(text, quote.trim(), 0);
  if (found === null) return null;
  const from = nodes.findLast(({ start }) => start <= found[0]);
  const to = nodes.findLast(({ start }) => start < found[1]);
  if (from === undefined || to === undefined) return null;
  const range = document.createRange();
  range.setStart(from.node, found[0] - from.start);
  range.setEnd(to.node, found[1] - to.start);
  return range;
}
