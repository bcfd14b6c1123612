/** HTTP client: typed from the server's OpenAPI; sends the CSRF header, throws `ApiError`. */
import createClient, { type Middleware } from "openapi-fetch";
import * as v from "valibot";

import type { paths } from "@/api/schema";
import { reportConnection, reportProjectLost, reportSignedOut } from "@/lib/connection";
import { askedProject } from "@/lib/project";
import { visibleText } from "@/lib/visibleText";

const errorBody = v.object({
  code: v.string(),
  message: v.string(),
  details: v.optional(v.record(v.string(), v.unknown()), {}),
});

/**
 * A request that the server refused. `code` is stable, so code may switch on it; `message` is a
 * sentence.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

export const PROJECT_HEADER = "X-Project";

const withHeaders: Middleware = {
  onRequest({ request }) {
    if (!["GET", "HEAD", "OPTIONS"].includes(request.method)) {
      request.headers.set("X-CSRFToken", readCookie("csrftoken"));
    }
    const project = askedProject();
    if (project !== "") request.headers.set(PROJECT_HEADER, project);
    return request;
  },
  onResponse() {
    reportConnection("http", true);
  },
  onError({ request }) {
    // The page aborted the request itself, so this is no sign of a lost connection.
    if (request.signal.aborted) return undefined;
    reportConnection("http", false);
    return new ApiError("network", "Cannot reach the server. Is Tape Studio running?", 0);
  },
};

declare global {
  interface Window {
    /** Requests that `open-early.js` sent before this script loaded, by address. */
    earlyAnswers?: Map<string, Promise<Response>>;
  }
}

/** Takes an early answer once: a later request for the same address wants fresh data. */
function takeEarly({ method, url }: Request): Promise<Response> | undefined {
  const answer = method === "GET" ? window.earlyAnswers?.get(url) : undefined;
  window.earlyAnswers?.delete(url);
  return answer;
}

/** Reads `globalThis.fetch` at each call, so that tests can replace it. */
const fetchNow = (request: Request): Promise<Response> =>
  takeEarly(request) ?? globalThis.fetch(request);

export const client = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: "same-origin",
  fetch: fetchNow,
});
client.use(withHeaders);

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Return the data of an answer from `client`.
 *
 * @throws ApiError for every answer that is not 2xx, or has no body.
 */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok && data !== undefined) return data;
  throw toApiError(error, response.status);
}

/** Wait for an answer that has no body.
 *
 * @throws ApiError for every answer that is not 2xx.
 */
export async function settle(call: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await call;
  if (!response.ok) throw toApiError(error, response.status);
}

/** Error codes that the server sends to a person who was removed from a project. */
const LOST = new Set(["not_a_member", "no_project"]);

export function toApiError(body: unknown, status: number): ApiError {
  if (status === 401) reportSignedOut();
  const parsed = v.safeParse(errorBody, body);
  if (parsed.success) {
    if (LOST.has(parsed.output.code)) reportProjectLost();
    return new ApiError(parsed.output.code, parsed.output.message, status, parsed.output.details);
  }
  return new ApiError("unreadable", `The server responded with status ${status}.`, status);
}

/** Where to go from a page whose object is not there, or whose address has an invalid id. */
export interface WayBack {
  to: string;
  /** "datasets", as in "Go to datasets". */
  what: string;
}

/** `undefined` if trying again may help. */
export function wayBack(error: unknown, to: string, what: string): WayBack | undefined {
  const isMissing =
    error instanceof ApiError && (error.status === 404 || error.code === "invalid_id");
  return isMissing ? { to, what } : undefined;
}

/** What the server says is wrong with one field of a form; `undefined` if it is not that field. */
export function problemAt(error: unknown, field: string): string | undefined {
  return error instanceof ApiError && error.details.field === field
    ? describeError(error)
    : undefined;
}

export function describeError(error: unknown): string {
  return error instanceof Error ? visibleText(error.message) : "Something went wrong.";
}

export function readCookie(name: string): string {
  const pair = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return pair === undefined ? "" : decodeURIComponent(pair.slice(name.length + 1));
}
