/** Pieces of the language in which lists of tapes are asked; the server reads it. */

/** A value in quotation marks, whatever it holds. */
export function quoteValue(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** The tapes of a dataset in their list, narrowed further by what follows. */
export function datasetAddress(name: string, further = ""): string {
  const query = [`dataset:${quoteValue(name)}`, further].filter((part) => part !== "").join(" ");
  return `/tapes?${new URLSearchParams({ q: query }).toString()}`;
}

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
