/** Marks the words that are looked for wherever steps are drawn, without touching their text. */
import { useEffect, type RefObject } from "react";

const NAME = "found";
/** Enough for everything in view; a text of a megabyte is not walked to its end. */
const MAX_RANGES = 2000;

/** Browsers without the CSS Custom Highlight API show the hits unmarked. */
export function useHighlights(
  place: RefObject<HTMLElement | null>,
  words: readonly string[],
): void {
  useEffect(() => {
    const element = place.current;
    if (element === null || words.length === 0 || !("highlights" in CSS)) return;
    let frame = 0;
    const mark = () => {
      frame = 0;
      CSS.highlights.set(NAME, new Highlight(...findRanges(element, words)));
    };
    const later = () => {
      if (frame === 0) frame = requestAnimationFrame(mark);
    };
    // Cards come and go as one scrolls.
    const watcher = new MutationObserver(later);
    watcher.observe(element, { childList: true, subtree: true, characterData: true });
    later();
    return () => {
      watcher.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [place, words]);
}

function findRanges(element: HTMLElement, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = (node.nodeValue ?? "").toLowerCase();
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        if (ranges.length >= MAX_RANGES) return ranges;
        // Letters that grow in lower case may move a hit past the end.
        if (at + word.length > (node.nodeValue ?? "").length) break;
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  return ranges;
}
