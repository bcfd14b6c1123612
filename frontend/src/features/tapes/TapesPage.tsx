import { Button } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from "@tanstack/react-query";
import { IconUpload } from "@tabler/icons-react";
import { useCallback, useMemo, useState } from "react";
import { Link } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { listLengthQuery, readQueryMistake } from "@/api/tapeQueries";
import { tapesQuery, type TapeFilter } from "@/api/tapes";
import type { ListLength, TapePage, TapeRow } from "@/api/types";
import { LensMenu } from "@/features/tapes/lenses/LensMenu";
import { useLens } from "@/features/tapes/lenses/useLens";
import { PeekSwitch } from "@/features/tapes/peek/PeekSwitch";
import { TapePeek } from "@/features/tapes/peek/TapePeek";
import { useMarkedRow } from "@/features/tapes/peek/useMarkedRow";
import { FacetsPanel } from "@/features/tapes/query/Facets";
import { useFacetsPlace } from "@/features/tapes/query/useFacetsPlace";
import { isSearchCut, SearchNotice } from "@/features/tapes/query/SearchNotice";
import { SelectionBar } from "@/features/tapes/SelectionBar";
import { ColumnsMenu } from "@/features/tapes/table/ColumnsMenu";
import { MarksMenu } from "@/features/tapes/table/MarksMenu";
import classes from "@/features/tapes/Tapes.module.css";
import { SummaryPane } from "@/features/tapes/summary/SummaryPane";
import { TapeFilters } from "@/features/tapes/TapeFilters";
import { TapeList } from "@/features/tapes/TapeList";
import { TourCard } from "@/features/tapes/TourCard";
import { byQuery, toTapeFilter, useTapeListState } from "@/features/tapes/useTapeFilter";
import { countOf, formatExact } from "@/lib/format";
import { PageHeader } from "@/ui/PageHeader";

const NONE: ReadonlySet<string> = new Set();

export function TapesPage() {
  const { state, change } = useTapeListState();
  const [checked, setChecked] = useState(NONE);
  /** All tapes of the list are selected, loaded or not. */
  const [isAll, setAll] = useState(false);
  const [isSummed, setSummed] = useLocalStorage({
    key: "studio.tapes.summary",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const facets = useFacetsPlace();
  const lens = useLens();
  const { look } = lens;
  const order = look.sort === "" ? {} : { sort: look.sort };
  const tapes = useInfiniteQuery({
    ...tapesQuery({ ...toTapeFilter(state), ...order }),
    enabled: !lens.isPending,
  });
  const rows = useRows(tapes);
  const selected = useMemo(
    () => (isAll ? new Set(rows.map(({ id }) => id)) : checked),
    [isAll, rows, checked],
  );
  const select = useCallback((ids: ReadonlySet<string>) => {
    setAll(false);
    setChecked(ids);
  }, []);
  const { opensAtError } = lens.lens;
  const addressOf = useCallback(
    (row: TapeRow) =>
      opensAtError && row.error_count > 0 ? `/t/${row.id}?step=first-error` : `/t/${row.id}`,
    [opensAtError],
  );
  const marked = useMarkedRow(state.row);
  const length = useLength(tapes, toTapeFilter(state));
  const narrow = (q: string) => change(byQuery(state, q));
  return (
    <>
      <PageHeader
        title="Tapes"
        guide="find-tapes"
        note={tapes.isSuccess && describeCount(rows.length, tapes, length)}
      >
        <LensMenu state={lens} />
        <div className={`ts-row ${classes.tableMenus}`}>
          <ColumnsMenu columns={look.columns} onChange={lens.setColumns} />
          <MarksMenu marks={look.marks} onChange={lens.setMarks} />
        </div>
        <PeekSwitch marked={marked} rows={rows} />
        <ForWriters>
          <Button component={Link} to="/upload" leftSection={<IconUpload size={14} />}>
            Upload
          </Button>
        </ForWriters>
      </PageHeader>
      {selected.size > 0 ? (
        <SelectionBar
          rows={rows.filter((row) => checked.has(row.id))}
          filter={toTapeFilter(state)}
          isAll={isAll}
          onAll={setAll}
          onClear={() => select(NONE)}
        />
      ) : (
        <TapeFilters
          state={state}
          error={tapes.error}
          facets={facets}
          summary={{ isOpen: isSummed, onToggle: () => setSummed(!isSummed) }}
          onChange={change}
        />
      )}
      {isSummed && (
        <SummaryPane filter={toTapeFilter(state)} isPending={lens.isPending} onQuery={narrow} />
      )}
      <SearchNotice query={tapes} />
      <TourCard hasTapes={rows.length > 0} />
      <div className={classes.panes}>
        <FacetsPanel
          place={facets}
          filter={toTapeFilter(state)}
          isPending={lens.isPending}
          onQuery={narrow}
        />
        <div className={`ts-column ${classes.list}`}>
          <TapeList
            query={tapes}
            rows={rows}
            state={state}
            onChange={change}
            lens={lens}
            addressOf={addressOf}
            marked={marked}
            selected={selected}
            onSelect={select}
          />
        </div>
        {marked.isPeeked && marked.id !== null && (
          <TapePeek
            tapeId={marked.id}
            rows={rows}
            addressOf={addressOf}
            onMove={marked.mark}
            onClose={marked.closePeek}
          />
        )}
      </div>
    </>
  );
}

/** The rows of the list; while the typed query is invalid, the previous rows. */
function useRows({ data, error }: UseInfiniteQueryResult<InfiniteData<TapePage>>) {
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  const [kept, setKept] = useState<readonly TapeRow[]>([]);
  if (rows !== undefined && rows !== kept) setKept(rows);
  if (rows !== undefined) return rows;
  return readQueryMistake(error) === null ? [] : kept;
}

/** The length of the list: requested once the first page shows that there are more. */
function useLength(
  { data, hasNextPage }: UseInfiniteQueryResult<InfiniteData<TapePage>>,
  filter: TapeFilter,
): ListLength | undefined {
  const isWorthIt = hasNextPage && !isSearchCut(data?.pages);
  const length = useQuery({ ...listLengthQuery(filter), enabled: isWorthIt });
  return length.data;
}

/** Shows how much of the list is loaded: a count is never truncated silently. */
function describeCount(
  loaded: number,
  { hasNextPage }: { hasNextPage: boolean },
  length: ListLength | undefined,
): string {
  if (!hasNextPage) return countOf(loaded, "tape");
  // Tapes may have been added or removed since the first page.
  if (length === undefined || length.tape_count <= loaded) {
    return `${countOf(loaded, "tape")} loaded, more below`;
  }
  const all = `${length.is_cut ? "over " : ""}${countOf(length.tape_count, "tape")}`;
  return `${formatExact(loaded)} of ${all} loaded`;
}
