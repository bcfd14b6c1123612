/** What the tour sees of the page: the address, the data that the page has, and its anchors. */
import { useInfiniteQuery, useMutationState, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { matchPath, useLocation } from "react-router";

import { familyQuery } from "@/api/families";
import { SAMPLE_PROJECT } from "@/api/projects";
import { sessionQuery } from "@/api/session";
import { MAKE_TEST } from "@/api/suites";
import { suspectQuery, tapeQuery, tapesQuery, wholeStepQuery } from "@/api/tapes";
import type { FamilyMember, Tape } from "@/api/types";
import { FAILED_QUERY, findCorrection, type Correction, type Seen } from "@/app/tour/tourStops";
import { findAnchor, LOOK_MS } from "@/app/tour/useAnchor";
import { fixesQuery } from "@/features/tape-editor/saving";

export function useSeen(): Seen {
  const { pathname, search } = useLocation();
  const { data: session } = useQuery(sessionQuery());
  const isSample = session?.project_id === SAMPLE_PROJECT;
  const failed = useFailed(isSample);
  const openId = matchPath("/t/:tapeId", pathname)?.params.tapeId ?? "";
  const { data: open } = useQuery({ ...tapeQuery(openId), enabled: openId !== "" });
  const { family, correction } = useFamilyOf(failed ?? null, openId);
  const { data: fixes } = useQuery({ ...fixesQuery(failed?.id ?? ""), enabled: hasTape(failed) });
  const isFormOpen = useIsThere("step-form");
  const fixedId = findFixed(pathname, failed?.id ?? "", open, family);
  const kept = useMutationState({
    filters: { mutationKey: [...MAKE_TEST, fixedId ?? ""], status: "success" },
  });
  return {
    isSample,
    pathname,
    search,
    failed,
    correction,
    open:
      open === undefined
        ? null
        : {
            id: open.id,
            parentId: open.parent_id,
            isRunning: open.active_job_id !== null,
            outcome: open.outcome,
          },
    fixedId,
    isEdited: fixes?.some(({ applied_count: count }) => count > 0) === true,
    isFormOpen,
    isKept: kept.length > 0,
  };
}

const hasTape = (failed: Seen["failed"]) => failed !== null && failed !== undefined;

function useFailed(isSample: boolean): Seen["failed"] {
  const found = useInfiniteQuery({ ...tapesQuery({ q: FAILED_QUERY }), enabled: isSample });
  const row = found.data?.pages[0]?.items.at(-1);
  const suspect = useQuery({
    ...suspectQuery(row?.id ?? "", row?.step_count ?? 0, row?.outcome ?? ""),
    enabled: row !== undefined,
  });
  if (row !== undefined) return { id: row.id, badStep: suspect.data?.position ?? null };
  return found.data === undefined ? undefined : null;
}

function useFamilyOf(failed: Seen["failed"] & (object | null), openId: string) {
  const isOpen = failed !== null && openId === failed.id;
  const of = useQuery({ ...familyQuery(failed?.id ?? ""), enabled: failed !== null });
  const family = of.data?.items ?? [];
  const passed = family.find(({ outcome }) => outcome === "pass");
  const position = failed?.badStep ?? 0;
  const isAsked = isOpen && failed.badStep !== null && passed !== undefined;
  const bad = useQuery({ ...wholeStepQuery(failed?.id ?? "", position), enabled: isAsked });
  const good = useQuery({ ...wholeStepQuery(passed?.id ?? "", position), enabled: isAsked });
  const correction: Correction | null =
    bad.data === undefined || good.data === undefined
      ? null
      : findCorrection(bad.data.body, good.data.body);
  return { family, correction };
}

/** The tape that is compared with the failed one, or the branch of it that is open or passed. */
function findFixed(
  pathname: string,
  failedId: string,
  open: Tape | undefined,
  family: readonly FamilyMember[],
): string | null {
  const ids = matchPath("/t/:tapeId/diff/:otherId", pathname)?.params;
  const sides = [ids?.tapeId, ids?.otherId];
  const other = sides.includes(failedId) ? sides.find((id) => id !== failedId) : undefined;
  if (other !== undefined) return other;
  if (open?.parent_id === failedId && open.outcome === "pass") return open.id;
  const parents = new Map(family.map(({ id, parent_id: parentId }) => [id, parentId]));
  const own = family.filter(({ outcome }) => outcome === "pass");
  const ofFailed = own.findLast(({ parent_id: parentId }) => parentId === failedId);
  const later = own.find(({ parent_id: parentId }) => parents.get(parentId ?? "") === failedId);
  return (ofFailed ?? later)?.id ?? null;
}

function useIsThere(anchor: string): boolean {
  const [isThere, setIsThere] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setIsThere(findAnchor([anchor]) !== null), LOOK_MS);
    return () => clearInterval(timer);
  }, [anchor]);
  return isThere;
}
