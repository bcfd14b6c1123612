/** JSON that was typed but cannot be parsed yet, kept while the page is open. */

const kept = new Map<string, string>();

export function keptJson(place: string): string | undefined {
  return kept.get(place);
}

/** `null`: it can be parsed, and the draft has it. */
export function keepJson(place: string, text: string | null): void {
  if (text === null) kept.delete(place);
  else kept.set(place, text);
}
