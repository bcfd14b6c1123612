/** The syntax of queries, with examples to start from. */
import { ActionIcon, Popover } from "@mantine/core";
import { IconHelp } from "@tabler/icons-react";
import { useState } from "react";

import classes from "@/features/tapes/query/query.module.css";

const EXAMPLES: { query: string; help: string }[] = [
  { query: "agent:analyst errors>0 cost<0.05", help: "by agent, errors and cost in US dollars" },
  { query: 'text:"Vulcan bomber" -tag:bad', help: "adjacent words, without a tag" },
  {
    query: "(outcome:fail OR score<0.5) created>7d",
    help: "either condition, in the last seven days",
  },
  {
    query: "steps:10..50 has:tool_error is:pinned",
    help: "a range, contents and flags",
  },
  { query: "tool:search -node:answer", help: "by a tool it called, without a node" },
  {
    query: "seq: tool_error -> same_call within 2 -> final_answer",
    help: "steps in sequence",
  },
];

export function QueryHelp({ onPick }: { onPick: (query: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={420} position="bottom-end" trapFocus>
      <Popover.Target>
        <ActionIcon
          size={22}
          color="gray"
          aria-label="How to write a query"
          onClick={() => setOpen(!isOpen)}
        >
          <IconHelp size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <p className={classes.intro}>
          Plain words search titles, tasks, answers and steps; the last word also matches as a
          prefix from three letters on. Fields narrow the list, - and NOT exclude, OR and
          parentheses combine, and seq: comes last.
        </p>
        <ul>
          {EXAMPLES.map(({ query, help }) => (
            <li key={query}>
              <button
                type="button"
                className={`ts-column ${classes.example}`}
                onClick={() => {
                  setOpen(false);
                  onPick(query);
                }}
              >
                <code>{query}</code>
                <span className={`ts-hint ${classes.help}`}>{help}</span>
              </button>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
