/** Marks search matches wherever steps are drawn, without changing the DOM. */
import { useEffect, type RefObject } from "react";

const NAME = "found";
/** Enough for everything in view; the end of a text of a megabyte is not reached. */
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
    // Cards are added and removed during scrolling.
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
        // Letters that get longer in lower case may shift a hit past the end.
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
