/** The tapes in which two versions of a dataset differ. */
import { Link } from "react-router";

import type { VersionChanges } from "@/api/types";
import classes from "@/features/datasets/datasets.module.css";
import { formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";

const WORDS = { added: "Added", removed: "Removed", expected: "Expected answer changed" } as const;

export function VersionChangeTable({ changes }: { changes: VersionChanges }) {
  const { added_count: added, removed_count: removed, expected_count: expected } = changes;
  const count = added + removed + expected;
  return (
    <>
      <p aria-live="polite" className="ts-number">
        {count === 0
          ? `Nothing changed; ${formatExact(changes.same_count)} tapes are the same.`
          : `${formatExact(added)} added, ${formatExact(removed)} removed, ${formatExact(expected)} with a changed expected answer; ${formatExact(changes.same_count)} are the same.`}
      </p>
      {changes.tapes.length > 0 && (
        <PlainTable aria-label="Changed tapes">
          <thead>
            <tr>
              <th scope="col">Change</th>
              <th scope="col">Tape</th>
              <th scope="col">Expected before</th>
              <th scope="col">Expected after</th>
            </tr>
          </thead>
          <tbody>
            {changes.tapes.map((tape) => (
              <tr key={tape.tape_id}>
                <td>{WORDS[tape.change]}</td>
                <td className={classes.cell}>
                  {tape.title === "" ? (
                    <span className="ts-dimmed">deleted tape</span>
                  ) : (
                    <Link to={`/t/${tape.tape_id}`}>{visibleText(tape.title)}</Link>
                  )}
                </td>
                <td className={classes.cell}>{visibleText(tape.before)}</td>
                <td className={classes.cell}>{visibleText(tape.after)}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      {changes.tapes.length < count && (
        <p className="ts-hint">The first {formatExact(changes.tapes.length)} are shown.</p>
      )}
    </>
  );
}
