/** The text selected with mouse or keyboard in the card of a step. */
export interface TextSelection {
  /** Position of the step in the edited tape. */
  index: number;
  text: string;
  /** JSON pointer of the field that the text belongs to, if the card has marked it. */
  field: string;
  /** Where it begins in the drawn field. */
  offset: number;
  /** Where a button next to it fits, in window coordinates. */
  top: number;
  left: number;
}

const LONGEST = 20_000;
const BELOW = 6;
const BUTTON = { width: 110, height: 36 };

/** `null` if nothing is selected, or not within one card. */
export function readSelection(): TextSelection | null {
  const selection = window.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const card = elementOf(range.commonAncestorContainer)?.closest("article[data-step]");
  if (card === null || card === undefined) return null;
  const text = selection.toString();
  const index = Number(card.getAttribute("data-step"));
  if (text.trim() === "" || text.length > LONGEST || !Number.isInteger(index)) return null;
  const field = elementOf(range.startContainer)?.closest("[data-field]") ?? null;
  const { bottom, left } = range.getBoundingClientRect();
  return {
    index,
    text,
    field: field?.getAttribute("data-field") ?? "",
    offset: field === null ? 0 : offsetIn(field, range),
    top: Math.min(bottom + BELOW, window.innerHeight - BUTTON.height),
    left: Math.min(Math.max(left, 0), window.innerWidth - BUTTON.width),
  };
}

function elementOf(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement;
}

function offsetIn(field: Element, range: Range): number {
  const before = document.createRange();
  before.selectNodeContents(field);
  before.setEnd(range.startContainer, range.startOffset);
  return before.toString().length;
}
