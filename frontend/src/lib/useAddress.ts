/** What the page shows, as query parameters that are read and changed one by one. */
import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** Parameters and their new values; `null` removes one. */
export type AddressPart = Readonly<Record<string, string | null>>;
type ChangeAddress = (part: AddressPart, options?: { replace?: boolean }) => void;

/** The query parameters, and a setter for some: adds a history entry unless `replace` is set. */
export function useAddress(): [URLSearchParams, ChangeAddress] {
  const [params, setParams] = useSearchParams();
  const change = useCallback<ChangeAddress>(
    (part, { replace = false } = {}) =>
      setParams(
        (before) => changedAddress(before, part),
        // Synchronously: the next key may be pressed before a transition would render.
        { replace, flushSync: true },
      ),
    [setParams],
  );
  return [params, change];
}

/** Parameters that a screen does not know are kept: others own them. */
export function changedAddress(before: URLSearchParams, part: AddressPart): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(part)) {
    if (value === null) after.delete(name);
    else after.set(name, value);
  }
  return after;
}
