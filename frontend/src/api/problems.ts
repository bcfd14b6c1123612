/** Which fields made the server refuse a request, so that a form can show the message there. */
import * as v from "valibot";

import { ApiError } from "@/api/client";

const problems = v.object({
  problems: v.array(v.object({ where: v.string(), message: v.string() })),
});

/** Messages by the last part of their location: "body.body.name" is `name`. */
export function fieldProblems(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const parsed = v.safeParse(problems, error.details);
  if (!parsed.success) return {};
  return Object.fromEntries(
    parsed.output.problems.map(({ where, message }) => [where.split(".").at(-1) ?? "", message]),
  );
}
