/** Navigates between tapes, and puts two of them side by side. */
import { useMemo } from "react";
import { useNavigate, useSearchParams } from "react-router";

import { changedAddress, type AddressPart } from "@/lib/useAddress";

export interface TapeMoves {
  /** The address of another tape of the family, with the same inspector tab. */
  addressOf: (tapeId: string, step?: number) => string;
  go: (tapeId: string, step?: number) => void;
  /** Put two tapes side by side; the second is the one that can be edited. */
  compare: (one: string, other: string) => void;
}

export function useTapeMoves(openId: string): TapeMoves {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const view = params.get("view");
  return useMemo(() => {
    const addressOf = (tapeId: string, step?: number) =>
      address(tapeId, { step: step === undefined ? null : String(step), view });
    return {
      addressOf,
      go: (tapeId, step) => void navigate(addressOf(tapeId, step), AT_ONCE),
      compare: (one, other) => {
        if (one === other) return;
        const base = one === openId ? one : other;
        void navigate(address(base, { view, cmp: base === one ? other : one }), AT_ONCE);
      },
    };
  }, [navigate, openId, view]);
}

/** Rendered together with the address change: the next key belongs to the new tape. */
const AT_ONCE = { flushSync: true };

function address(tapeId: string, named: AddressPart): string {
  const query = changedAddress(new URLSearchParams(), named);
  return query.size === 0 ? `/t/${tapeId}` : `/t/${tapeId}?${query.toString()}`;
}
