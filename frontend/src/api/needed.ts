/** Several queries whose results are needed together. */
import { describeError } from "@/api/client";

interface Query {
  data: unknown;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** The result of each query, by its name. */
type Answers<Queries> = { [Name in keyof Queries]: Answer<Queries[Name]> };

type Answer<Asked> = Asked extends { data: infer Data } ? NonNullable<Data> : never;

export interface Needed<Data> {
  /** `undefined` until all queries have loaded. */
  data: Data | undefined;
  /** Why a query failed; `null` while none has failed. */
  problem: string | null;
  /** Refetches all queries. */
  retry: () => void;
}

export function allOf<Queries extends Record<string, Query>>(
  queries: Queries,
): Needed<Answers<Queries>> {
  const all = Object.values(queries);
  const failed = all.find(({ isError, data }) => isError && data === undefined);
  const answers: Record<string, unknown> = Object.fromEntries(
    Object.entries(queries).map(([name, { data }]) => [name, data]),
  );
  return {
    data: hasAll(answers, queries) ? answers : undefined,
    problem: failed === undefined ? null : describeError(failed.error),
    retry: () => all.forEach((query) => void query.refetch()),
  };
}

function hasAll<Queries extends Record<string, Query>>(
  answers: Record<string, unknown>,
  queries: Queries,
): answers is Answers<Queries> {
  return Object.keys(queries).every((name) => answers[name] !== undefined);
}
