/** Building blocks for tape queries; the server parses them. */

/** A value in quotation marks, whatever characters it contains. */
export function quoteValue(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** A query for words in steps, whatever characters are among them. */
export function wordsQuery(text: string): string {
  const words = text.split(/[\s()",]+/).filter((word) => word !== "");
  return words
    .slice(0, MOST_WORDS)
    .map((word) => `text:${word}`)
    .join(" ");
}

/** The query for a dataset's tapes. */
export function datasetQueryOf(name: string): string {
  return `dataset:${quoteValue(name)}`;
}

/** The address of the attempts at a task, without its start tape in a dataset. */
export function attemptsAddress(task: string, dataset: string): string {
  const query = `task:${quoteValue(task)} -${datasetQueryOf(dataset)}`;
  return `/tapes?${new URLSearchParams({ q: query }).toString()}`;
}

/** The address of the list of a dataset's tapes, narrowed by a further query. */
export function datasetAddress(name: string, further = ""): string {
  const query = [datasetQueryOf(name), further].filter((part) => part !== "").join(" ");
  return `/tapes?${new URLSearchParams({ q: query }).toString()}`;
}

/** The address of the tapes of a batch by its name, and of these perhaps only those with some tags. */
export function batchAddress(batch: string, ...tags: string[]): string {
  const words = [`batch:${quoteValue(batch)}`, ...tags.map((tag) => `tag:${quoteValue(tag)}`)];
  return `/tapes?${new URLSearchParams({ q: words.join(" ") }).toString()}`;
}

export interface NarrowedQuery {
  q: string;
  /** How many code points precede the original query. */
  start: number;
}

/** Prepend conditions to a query, all of which must hold too. */
export function narrowQuery(query: string, conditions: readonly string[]): NarrowedQuery {
  const before = conditions.join(" ");
  if (before === "" || query === "") return { q: before + query, start: 0 };
  const pieces = Array.from(query.matchAll(PIECE));
  const isEither = pieces.some(([piece]) => piece === "OR") && isBalanced(pieces);
  const opening = isEither ? `${before} (` : `${before} `;
  const sequence = pieces.find(([piece]) => /^seq[:=!<>]/i.test(piece));
  // The parenthesis takes the place of the blank, so that offsets in the rest stay the same.
  const clauses = query.slice(0, sequence?.index).replace(/\s$/, "");
  const rest = sequence === undefined ? "" : query.slice(sequence.index);
  const q = opening + (isEither ? `${clauses})${rest}` : query);
  return { q, start: Array.from(opening).length };
}

/** If they are unbalanced, the server reports where a parenthesis is missing. */
function isBalanced(pieces: readonly RegExpExecArray[]): boolean {
  let depth = 0;
  for (const [piece] of pieces) {
    if (piece === "(") depth += 1;
    if (piece === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The server accepts 60 conditions. */
const MOST_WORDS = 50;
const PIECE = /"(?:\\.|[^"\\])*"?|[^\s()"]+|[()]|\s+/gs;
const VALUE = /"((?:\\.|[^"\\])*)"|[^,"]+/gs;

/** The names or ids of the datasets whose tapes a query selects. */
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
