/** One example, as tokens or as messages, with links to its step and to its neighbors. */
import { ActionIcon, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconChevronDown, IconChevronUp, IconX } from "@tabler/icons-react";

import { exampleRowsQuery } from "@/api/trainingExamples";
import { ExampleMessages } from "@/features/training/examples/ExampleMessages";
import classes from "@/features/training/examples/examples.module.css";
import { TokenPane } from "@/features/training/examples/TokenPane";
import { OriginLink } from "@/features/training/OriginLink";
import { countOf, formatExact } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";

interface ExamplePaneProps {
  setId: string;
  exampleId: string;
  /** Moves to the next (1) or the previous (-1) example of the list. */
  onMove: (by: 1 | -1) => void;
  onClose: () => void;
}

const VIEWS = [
  { value: "tokens", label: "Tokens" },
  { value: "messages", label: "Messages" },
];

export function ExamplePane({ setId, exampleId, onMove, onClose }: ExamplePaneProps) {
  const [address, change] = useAddress();
  const view = address.get("view") === "messages" ? "messages" : "tokens";
  const rows = useQuery(exampleRowsQuery(setId, [exampleId]));
  const row = rows.data?.get(exampleId);
  const name = row === undefined ? "Example" : `Example ${formatExact(row.number + 1)}`;
  return (
    <article className={`ts-column ${classes.pane}`} aria-label={name}>
      <header className={`ts-row ${classes.head}`}>
        <h2>{name}</h2>
        {row !== undefined && (
          <>
            {row.side === "held_out" && <span className="ts-dimmed">held out</span>}
            <OriginLink origin={row} />
            {row.writer === "person" && <span className="ts-dimmed">written by a person</span>}
            {row.weight !== null && (
              <span className="ts-dimmed ts-number">
                {row.weight > 0 ? "better than its group" : "worse than its group"}, weight{" "}
                {row.weight.toFixed(2)}
              </span>
            )}
            {row.call_count > 1 && (
              <span className="ts-dimmed">
                {countOf(row.call_count, "LLM call")} in one sequence
              </span>
            )}
          </>
        )}
        <div className={`ts-row ${classes.tools}`}>
          <SegmentedControl
            aria-label="How the example is shown"
            data={VIEWS}
            value={view}
            onChange={(value) => change({ view: value }, { replace: true })}
          />
          <Tool label="Next example" hint="j" icon={IconChevronDown} onClick={() => onMove(1)} />
          <Tool label="Previous example" hint="k" icon={IconChevronUp} onClick={() => onMove(-1)} />
          <Tool label="Close the example" hint="Escape" icon={IconX} onClick={onClose} />
        </div>
      </header>
      <div className={`ts-scroll ${classes.body}`}>
        {view === "tokens" ? (
          <TokenPane setId={setId} exampleId={exampleId} />
        ) : (
          <ExampleMessages key={exampleId} setId={setId} exampleId={exampleId} />
        )}
      </div>
    </article>
  );
}

interface ToolProps {
  label: string;
  hint: string;
  icon: typeof IconX;
  onClick: () => void;
}

function Tool({ label, hint, icon: Icon, onClick }: ToolProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={`${label} (${hint})`}
      onClick={onClick}
    >
      <Icon size={16} />
    </ActionIcon>
  );
}
