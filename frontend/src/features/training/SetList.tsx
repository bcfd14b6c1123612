import { useInfiniteQuery } from "@tanstack/react-query";
import { IconBooks } from "@tabler/icons-react";

import { trainingSetsQuery } from "@/api/training";
import type { TrainingSet } from "@/api/types";
import { PagedList } from "@/features/training/PagedList";
import { CREATED_COLUMN, nameColumn } from "@/features/training/rowColumns";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { Count } from "@/ui/Quantities";
import type { Column } from "@/ui/tableColumns";

const addressOf = ({ id }: TrainingSet) => `/training/sets/${id}`;
const rowId = ({ id }: TrainingSet) => id;

export function SetList({ canWrite }: { canWrite: boolean }) {
  return (
    <PagedList
      label="Training sets"
      query={useInfiniteQuery(trainingSetsQuery())}
      columns={COLUMNS}
      rowId={rowId}
      addressOf={addressOf}
      canWrite={canWrite}
      empty={{
        title: "No training sets yet",
        icon: <IconBooks size={24} stroke={1.5} />,
        words:
          "A training set is made from tapes. Each LLM call is one example, and the model learns its answer.",
        action: "Make a training set",
        to: "/training?tab=sets&new=set",
      }}
    />
  );
}

const COLUMNS: Column<TrainingSet>[] = [
  nameColumn("Training set", addressOf),
  {
    id: "kind",
    header: "Examples",
    width: "120px",
    hideLevel: 1,
    cell: ({ kind }) => (kind === "preference" ? "Preference pairs" : "LLM calls"),
  },
  count("learnt", "Train", (row) => row.train_count, "Training examples"),
  count("held_out", "Held out", (row) => row.held_out_count, "Held-out examples"),
  count("tapes", "Tapes", (row) => row.tape_count),
  {
    id: "left_out",
    header: "Left out",
    width: "28%",
    hideLevel: 1,
    cell: ({ left_out: reasons }) => {
      const words = reasons
        .map(({ why, tape_count }) => `${countOf(tape_count, "tape")}: ${visibleText(why)}`)
        .join(" ");
      return (
        <span className="ts-truncate ts-dimmed" title={words}>
          {words === "" ? "–" : words}
        </span>
      );
    },
  },
  CREATED_COLUMN,
];

function count(
  id: string,
  header: string,
  valueOf: (row: TrainingSet) => number,
  hint?: string,
): Column<TrainingSet> {
  return {
    id,
    header,
    width: "min(80px, 20cqw)",
    align: "end",
    ...(hint !== undefined && { hint }),
    cell: (row) => <Count value={valueOf(row)} />,
  };
}
