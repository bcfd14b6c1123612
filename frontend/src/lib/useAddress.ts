/** What is looked at, as names in the address that are read and changed one by one. */
import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** Names and what they become; `null` takes one out. */
export type AddressPart = Readonly<Record<string, string | null>>;
type ChangeAddress = (part: AddressPart, options?: { replace?: boolean }) => void;

/** The names of the address, and how to change some: a new place, unless it is to be replaced. */
export function useAddress(): [URLSearchParams, ChangeAddress] {
  const [params, setParams] = useSearchParams();
  const change = useCallback<ChangeAddress>(
    (part, { replace = false } = {}) =>
      setParams(
        (before) => changedAddress(before, part),
        // At once: the next key may be pressed before a transition would be drawn.
        { replace, flushSync: true },
      ),
    [setParams],
  );
  return [params, change];
}

/** Names that a screen does not know stay as they are: others own them. */
export function changedAddress(before: URLSearchParams, part: AddressPart): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(part)) {
    if (value === null) after.delete(name);
    else after.set(name, value);
  }
  return after;
}
