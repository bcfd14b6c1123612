/** The lens in the address, with the changes to it: `?lens=…&sort=…&cols=…&marks=…`. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useSearchParams } from "react-router";

import { lensesQuery } from "@/api/lenses";
import {
  ALL_LENS,
  BUILT_IN,
  conditionsOf,
  fromStored,
  type Lens,
  type LensView,
} from "@/features/tapes/lenses/lenses";
import {
  readColumns,
  readMarks,
  writeColumns,
  writeMarks,
  type Mark,
  type VisibleColumn,
} from "@/features/tapes/table/look";
import { COLUMN_IDS } from "@/features/tapes/table/tapeColumns";
import { useAddress } from "@/lib/useAddress";

export interface LensState {
  lens: Lens;
  lenses: readonly Lens[];
  /** The lens with the changes applied. */
  look: LensView;
  isChanged: boolean;
  /** The lens that the address names has not loaded yet. */
  isPending: boolean;
  /** The address names a lens that does not exist, or no longer. */
  isMissing: boolean;
  setSort: (sort: string) => void;
  setColumns: (columns: readonly VisibleColumn[]) => void;
  setMarks: (marks: readonly Mark[]) => void;
  choose: (lens: Lens) => void;
}

export function useLens(): LensState {
  const [params, setParams] = useSearchParams();
  const [, change] = useAddress();
  const stored = useQuery(lensesQuery());
  const lenses = useMemo(
    () => [...BUILT_IN, ...(stored.data ?? []).map(fromStored)],
    [stored.data],
  );
  const id = params.get("lens") ?? ALL_LENS.id;
  const found = lenses.find((lens) => lens.id === id);
  const lens = found ?? ALL_LENS;
  const look = useMemo(() => lookOf(params, lens), [params, lens]);

  const choose = useCallback((chosen: Lens) => setParams(addressOfLens(chosen)), [setParams]);
  useBareLens(found, params, choose);
  return {
    lens,
    lenses,
    look,
    isChanged: !areSame(look, lens.look),
    isPending: found === undefined && stored.isPending,
    isMissing: found === undefined && stored.isSuccess,
    setSort: useCallback(
      (sort) => {
        const wanted = plainSort(sort);
        change({ sort: wanted === lens.look.sort ? null : wanted || NEWEST_FIRST });
      },
      [change, lens],
    ),
    setColumns: useCallback(
      (columns) =>
        change(
          { cols: differing(writeColumns(columns), writeColumns(lens.look.columns)) },
          { replace: true },
        ),
      [change, lens],
    ),
    setMarks: useCallback(
      (marks) =>
        change(
          { marks: differing(writeMarks(marks), writeMarks(lens.look.marks)) },
          { replace: true },
        ),
      [change, lens],
    ),
    choose,
  };
}

/** A link that names only a lens applies all of it, including its conditions. */
function useBareLens(
  lens: Lens | undefined,
  params: URLSearchParams,
  choose: (lens: Lens) => void,
): void {
  const seen = useRef<string | null>(null);
  const id = lens?.id;
  useEffect(() => {
    if (lens === undefined || seen.current === lens.id) return;
    seen.current = lens.id;
    if (params.has("lens") && lens.look.query !== "" && conditionsOf(params) === "") choose(lens);
    // Once for each lens: a person who clears the conditions afterwards wants them cleared.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
}

function lookOf(params: URLSearchParams, lens: Lens): LensView {
  const sort = params.get("sort");
  const columns = params.get("cols");
  const marks = params.get("marks");
  return {
    query: conditionsOf(params),
    sort: sort === null ? lens.look.sort : plainSort(sort),
    columns: columns === null ? lens.look.columns : readColumns(columns, COLUMN_IDS),
    marks: marks === null ? lens.look.marks : readMarks(marks, COLUMN_IDS),
  };
}

function addressOfLens(lens: Lens): URLSearchParams {
  const after = new URLSearchParams(lens.look.query);
  if (lens.id !== ALL_LENS.id) after.set("lens", lens.id);
  return after;
}

function areSame(one: LensView, other: LensView): boolean {
  return (
    one.query === other.query &&
    one.sort === other.sort &&
    writeColumns(one.columns) === writeColumns(other.columns) &&
    writeMarks(one.marks) === writeMarks(other.marks)
  );
}

const NEWEST_FIRST = "-created";

function plainSort(sort: string): string {
  return sort === NEWEST_FIRST ? "" : sort;
}

/** An empty value is a deliberate choice if the lens has a value. */
function differing(text: string, ofLens: string): string | null {
  return text === ofLens ? null : text;
}
