/** What leaves the studio: tapes as a single file, LLM calls as code to run. */
import { client, toApiError, unwrap } from "@/api/client";
import { withProject } from "@/lib/project";

export type ShareFormat = "html" | "markdown" | "json";
export type SnippetFormat = "curl" | "python";

export function shareAddress(tapeId: string, format: ShareFormat): string {
  return withProject(`/api/v1/tapes/${encodeURIComponent(tapeId)}/share?format=${format}`);
}

/** The text of a shared tape; the response is a file, which the typed client cannot read. */
export async function shareText(tapeId: string, format: ShareFormat): Promise<string> {
  const address = new URL(shareAddress(tapeId, format), window.location.origin);
  const response = await fetch(address, { credentials: "same-origin" });
  if (response.ok) return response.text();
  const body: unknown = await response.json().catch(() => null);
  throw toApiError(body, response.status);
}

export async function snippetOf(
  tapeId: string,
  callId: string,
  format: SnippetFormat,
): Promise<string> {
  const { text } = await unwrap(
    client.GET("/api/v1/tapes/{tape_id}/calls/{call_id}/snippet", {
      params: { path: { tape_id: tapeId, call_id: callId }, query: { format } },
    }),
  );
  return text;
}

export function exportAddress(tapeId: string): string {
  return `/api/v1/tapes/${encodeURIComponent(tapeId)}/export`;
}
