import type { ReactNode } from "react";

import classes from "@/ui/FactList.module.css";

export type Fact = readonly [name: string, value: ReactNode];

/** Facts about something, a name and a value on each line. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
