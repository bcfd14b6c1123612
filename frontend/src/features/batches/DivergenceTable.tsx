/** Where pairs diverge: the step of the left tape that the right one does not have there. */
import { useState } from "react";

import type { BatchDiff } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import { guessFamily, visualFamily } from "@/lib/families";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { StepKindBadge } from "@/ui/StepKindBadge";

const SHOWN = 8;

export function DivergenceTable({ diff: { partings } }: { diff: BatchDiff }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? partings : partings.slice(0, SHOWN);
  const rest = partings.length - SHOWN;
  return (
    <section aria-labelledby="batch-partings">
      <h2 className={`ts-row ${classes.heading}`} id="batch-partings">
        Where pairs diverge
      </h2>
      {partings.length === 0 ? (
        <p className={classes.note}>No pairs diverge.</p>
      ) : (
        <>
          <PlainTable aria-labelledby="batch-partings" fit="words">
            <thead>
              <tr>
                <th scope="col">Step of the left tape</th>
                <th scope="col" data-hide="phone">
                  Node
                </th>
                <th scope="col" data-align="end">
                  Pairs
                </th>
                <th scope="col" data-align="end">
                  Pass to fail
                </th>
                <th scope="col" data-align="end">
                  Fail to pass
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ kind, agent, node, ...counts }) => (
                <tr key={`${kind} ${agent} ${node}`}>
                  <th scope="row">
                    <Kind kind={kind} />
                  </th>
                  <td className="ts-mono" data-hide="phone">
                    {visibleText([agent, node].filter((part) => part !== "").join("."))}
                  </td>
                  <td data-align="end">{counts.count}</td>
                  <td data-align="end">{counts.pass_to_fail || "–"}</td>
                  <td data-align="end">{counts.fail_to_pass || "–"}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
          {rest > 0 && (
            <button type="button" className={classes.button} onClick={() => setOpen(!isOpen)}>
              {isOpen ? "Show less" : `Show ${rest} more`}
            </button>
          )}
        </>
      )}
    </section>
  );
}

export function Kind({ kind }: { kind: string }) {
  if (kind === "") return <span className="ts-dimmed">The end of the tape</span>;
  return <StepKindBadge family={visualFamily(kind, guessFamily(kind))} kind={visibleText(kind)} />;
}
