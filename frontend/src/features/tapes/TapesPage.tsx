import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { IconUpload } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { Link } from "react-router";

import { tapesQuery } from "@/api/tapes";
import { LensMenu } from "@/features/tapes/lenses/LensMenu";
import { useLens } from "@/features/tapes/lenses/useLens";
import { SearchNotice } from "@/features/tapes/query/SearchNotice";
import { SelectionBar } from "@/features/tapes/SelectionBar";
import { ColumnsMenu } from "@/features/tapes/table/ColumnsMenu";
import { MarksMenu } from "@/features/tapes/table/MarksMenu";
import { TapeFilters } from "@/features/tapes/TapeFilters";
import { TapeList } from "@/features/tapes/TapeList";
import { TourCard } from "@/features/tapes/TourCard";
import { toTapeFilter, useTapeListState } from "@/features/tapes/useTapeFilter";
import { countOf } from "@/lib/format";
import { PageHeader } from "@/ui/PageHeader";

const NONE: ReadonlySet<string> = new Set();

export function TapesPage() {
  const { state, change } = useTapeListState();
  const [selected, setSelected] = useState(NONE);
  const lens = useLens();
  const { look } = lens;
  const order = look.sort === "" ? {} : { sort: look.sort };
  const tapes = useInfiniteQuery({
    ...tapesQuery({ ...toTapeFilter(state), ...order }),
    enabled: !lens.isPending,
  });
  const rows = useMemo(() => tapes.data?.pages.flatMap((page) => page.items) ?? [], [tapes.data]);
  return (
    <>
      <PageHeader title="Tapes" note={tapes.isSuccess && describeCount(rows.length, tapes)}>
        <LensMenu state={lens} />
        <ColumnsMenu columns={look.columns} onChange={lens.setColumns} />
        <MarksMenu marks={look.marks} onChange={lens.setMarks} />
        <Button component={Link} to="/upload" leftSection={<IconUpload size={14} />}>
          Upload
        </Button>
      </PageHeader>
      {selected.size > 0 ? (
        <SelectionBar
          rows={rows.filter((row) => selected.has(row.id))}
          filter={toTapeFilter(state)}
          onClear={() => setSelected(NONE)}
        />
      ) : (
        <TapeFilters state={state} error={tapes.error} onChange={change} />
      )}
      <SearchNotice query={tapes} />
      <TourCard hasTapes={rows.length > 0} />
      <TapeList
        query={tapes}
        rows={rows}
        state={state}
        onChange={change}
        lens={lens}
        selected={selected}
        onSelect={setSelected}
      />
    </>
  );
}

/** A list that is not loaded to its end says so: a count is never cut silently. */
function describeCount(loaded: number, { hasNextPage }: { hasNextPage: boolean }): string {
  return hasNextPage ? `${countOf(loaded, "tape")} loaded, more below` : countOf(loaded, "tape");
}
