export interface Excerpt {
  before: string;
  found: string;
  after: string;
}

const AROUND = 60;
const SHOWN = 3;
const COUNTED = 1000;

/** The first matches of the words in a text, and how many more there are. */
export function findExcerpts(text: string, search: string): { excerpts: Excerpt[]; more: number } {
  const lower = text.toLowerCase();
  const words = search.toLowerCase();
  const excerpts: Excerpt[] = [];
  let count = 0;
  if (words === "") return { excerpts, more: 0 };
  for (let at = lower.indexOf(words); at >= 0 && count < COUNTED; count += 1) {
    const end = at + words.length;
    if (count < SHOWN) excerpts.push(around(text, at, end));
    at = lower.indexOf(words, end);
  }
  return { excerpts, more: count - excerpts.length };
}

function around(text: string, start: number, end: number): Excerpt {
  const from = Math.max(0, start - AROUND);
  const to = Math.min(text.length, end + AROUND);
  return {
    before: `${from > 0 ? "…" : ""}${text.slice(from, start)}`,
    found: text.slice(start, end),
    after: `${text.slice(end, to)}${to < text.length ? "…" : ""}`,
  };
}
