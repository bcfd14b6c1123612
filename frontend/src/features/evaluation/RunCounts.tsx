/** How many tests of a run passed, failed or are missing, in words. */
import type { SuiteRun } from "@/api/types";
import { formatExact } from "@/lib/format";

export function RunCounts({ run }: { run: SuiteRun }) {
  const { passed_count: passed, failed_count: failed, missing_count: missing } = run;
  const others = [
    ...(missing > 0 ? [`${formatExact(missing)} missing`] : []),
    ...(run.going_count > 0 ? [`${formatExact(run.going_count)} running`] : []),
  ];
  return (
    <span className="ts-number">
      {formatExact(passed)} passed
      {failed > 0 && (
        <>
          , <span className="ts-bad">{formatExact(failed)} failed</span>
        </>
      )}
      {others.map((words) => `, ${words}`)}
    </span>
  );
}
