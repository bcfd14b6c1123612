import type { UseMutationResult } from "@tanstack/react-query";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";

import { describeError } from "@/api/client";
import type { ModelTest } from "@/api/types";
import classes from "@/features/models/Models.module.css";
import { formatCost, formatSeconds } from "@/lib/format";
import { dollars } from "@/lib/money";

interface TestResultProps {
  test: UseMutationResult<ModelTest, Error, void>;
  columns: number;
}

/** A row below a model with the result of its test call. */
export function TestResult({ test, columns }: TestResultProps) {
  if (test.isIdle || test.isPending) return null;
  return (
    <tr className={classes.result}>
      <td colSpan={columns}>
        <div role="status" style={{ display: "flex", gap: 6 }}>
          <Outcome test={test} />
        </div>
      </td>
    </tr>
  );
}

function Outcome({ test }: Pick<TestResultProps, "test">) {
  const { data, error } = test;
  if (data?.is_ok !== true) {
    return (
      <span className={classes.bad}>
        <IconCircleX size={14} aria-hidden="true" style={{ verticalAlign: "text-bottom" }} />{" "}
        {data?.message ?? describeError(error)}
      </span>
    );
  }
  const cost = dollars(data.cost_micro_usd);
  return (
    <span>
      <span className="ts-good">
        <IconCircleCheck size={14} aria-hidden="true" style={{ verticalAlign: "text-bottom" }} />{" "}
        Answered in {formatSeconds(data.duration_seconds)}
        {cost === null ? "" : `, ${formatCost(cost)}`}
      </span>
      <q className="ts-mono ts-dimmed" style={{ marginLeft: 8 }}>
        {data.text.slice(0, 200)}
      </q>
    </span>
  );
}
