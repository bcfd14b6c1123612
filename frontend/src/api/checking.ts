/** Asks the server, while a form is filled in, whether what it would start can be started. */
import { useDebouncedValue } from "@mantine/hooks";
import {
  queryOptions,
  skipToken,
  useQuery,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from "@tanstack/react-query";

const TYPING_MS = 400;

/** A query that starts nothing; `null`: the form is not complete, so nothing is asked. */
export function checkQuery<Body, Found>(
  key: QueryKey,
  body: Body | null,
  ask: (body: Body, signal: AbortSignal) => Promise<Found>,
) {
  return queryOptions({
    queryKey: [...key, "check", body],
    queryFn: body === null ? skipToken : ({ signal }) => ask(body, signal),
    retry: false,
    // What could be started before the form was closed may not be when it is opened again.
    gcTime: 0,
  });
}

type CheckOptions<Found> = UseQueryOptions<Found, Error, Found, unknown[]>;

interface Checked<Found> {
  check: UseQueryResult<Found>;
  /** What the form contains now was checked, and can be started. */
  mayStart: boolean;
}

/** Checks a request once its fields have not changed for a moment. Memoize the request. */
export function useChecked<Body, Found>(
  request: Body | null,
  queryOf: (body: Body | null) => CheckOptions<Found>,
): Checked<Found> {
  const [asked] = useDebouncedValue(request, TYPING_MS);
  const check = useQuery(queryOf(asked));
  return { check, mayStart: request !== null && asked === request && check.isSuccess };
}
