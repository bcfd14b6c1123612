/** Pieces of the language in which lists of tapes are asked; the server reads it. */

/** A value in quotation marks, whatever it holds. */
export function quoteValue(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** A query for words that a step holds, whatever signs are among them. */
export function wordsQuery(text: string): string {
  const words = text.split(/[\s()",]+/).filter((word) => word !== "");
  return words
    .slice(0, MOST_WORDS)
    .map((word) => `text:${word}`)
    .join(" ");
}

/** The tapes of a dataset in their list, narrowed further by what follows. */
export function datasetAddress(name: string, further = ""): string {
  const query = [`dataset:${quoteValue(name)}`, further].filter((part) => part !== "").join(" ");
  return `/tapes?${new URLSearchParams({ q: query }).toString()}`;
}

export interface NarrowedQuery {
  q: string;
  /** How many code points stand before the query's own. */
  start: number;
}

/** A query with conditions before it, all of which hold too. */
export function narrowQuery(query: string, conditions: readonly string[]): NarrowedQuery {
  const before = conditions.join(" ");
  if (before === "" || query === "") return { q: before + query, start: 0 };
  const pieces = Array.from(query.matchAll(PIECE));
  const isEither = pieces.some(([piece]) => piece === "OR") && isBalanced(pieces);
  const opening = isEither ? `${before} (` : `${before} `;
  const sequence = pieces.find(([piece]) => /^seq[:=!<>]/i.test(piece));
  // In the place of the blank: what follows is found where one expects it.
  const clauses = query.slice(0, sequence?.index).replace(/\s$/, "");
  const rest = sequence === undefined ? "" : query.slice(sequence.index);
  const q = opening + (isEither ? `${clauses})${rest}` : query);
  return { q, start: Array.from(opening).length };
}

/** Otherwise the server says where a parenthesis is missing. */
function isBalanced(pieces: readonly RegExpExecArray[]): boolean {
  let depth = 0;
  for (const [piece] of pieces) {
    if (piece === "(") depth += 1;
    if (piece === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The server takes 60 conditions. */
const MOST_WORDS = 50;
const PIECE = /"(?:\\.|[^"\\])*"?|[^\s()"]+|[()]|\s+/gs;
const VALUE = /"((?:\\.|[^"\\])*)"|[^,"]+/gs;

/** The names, or ids, of the datasets of which a query wants the tapes. */
export function datasetsIn(query: string): string[] {
  const found: string[] = [];
  let term = "";
  let before = "";
  const read = () => {
    const match = /^dataset:(.*)$/is.exec(term);
    if (match !== null && before !== "NOT") {
      for (const [whole, quoted] of (match[1] ?? "").matchAll(VALUE)) {
        found.push(quoted === undefined ? whole : quoted.replace(/\\(.)/gs, "$1"));
      }
    }
    if (term !== "") before = term;
    term = "";
  };
  for (const [piece] of query.matchAll(PIECE)) {
    if (/^[\s()]/.test(piece)) read();
    else term += piece;
  }
  read();
  return found;
}
