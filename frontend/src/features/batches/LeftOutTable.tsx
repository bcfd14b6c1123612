/** Tapes without a pair, and why: none is dropped silently. */
import { useState } from "react";
import { Link } from "react-router";

import type { BatchDiff, LeftOutTape } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import { countOf } from "@/lib/format";
import { OUTCOME_WORDS } from "@/lib/outcomes";
import { visibleText } from "@/lib/visibleText";
import { OutcomeMark } from "@/ui/OutcomeMark";
import { PlainTable } from "@/ui/PlainTable";

const SHOWN = 20;

export function LeftOutTable({ diff }: { diff: BatchDiff }) {
  const [isOpen, setOpen] = useState(false);
  const rows = isOpen ? diff.left_out : diff.left_out.slice(0, SHOWN);
  const rest = diff.left_out.length - SHOWN;
  return (
    <section className="ts-section" aria-labelledby="batch-left-out">
      <h2 className={`ts-row ${classes.heading}`} id="batch-left-out">
        Unpaired tapes
      </h2>
      <PlainTable aria-labelledby="batch-left-out" fit="words">
        <thead>
          <tr>
            <th scope="col">Tape</th>
            <th scope="col">Batch</th>
            <th scope="col">Why</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.tape.id}>
              <th scope="row">
                <Link className={classes.link} to={`/t/${row.tape.id}`}>
                  {nameOf(row)}
                </Link>
              </th>
              <td>{visibleText(row.side === "left" ? diff.left.name : diff.right.name)}</td>
              <td>{whyWords(row, diff.by)}</td>
              <td>
                <OutcomeMark outcome={row.tape.outcome} word={OUTCOME_WORDS[row.tape.outcome]} />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {rest > 0 && (
        <button type="button" className={classes.button} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show ${countOf(rest, "more tape")}`}
        </button>
      )}
    </section>
  );
}

function nameOf({ tape }: LeftOutTape): string {
  const words = visibleText(tape.title === "" ? tape.task : tape.title);
  return words === "" ? "Untitled tape" : words;
}

function whyWords({ why }: LeftOutTape, by: string): string {
  if (why === "no_key") return `It has no ${by}`;
  return why === "alone" ? `No other tape with its ${by}` : `Several tapes share its ${by}`;
}
