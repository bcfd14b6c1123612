/** Marks a step with linter findings, in the map's gutter and on the card. */
import type { Finding } from "@/api/types";
import { KeepFinding } from "@/features/tape-editor/lint/KeepFinding";
import { useFindingsAt } from "@/features/tape-editor/lint/LintProvider";
import classes from "@/features/tape-editor/lint/lint.module.css";
import type { StepRow } from "@/features/tape-editor/editor";
import { visibleText } from "@/lib/visibleText";
import { SEVERITY_WORDS, SeverityIcon } from "@/ui/SeverityIcon";

/** A rule's message only restates its form, so its name goes first: it carries the meaning. */
export function describeFinding({ detector, title, message }: Finding): string {
  return detector.startsWith("rule:") ? `${title}: ${message}` : message;
}

/** A rewritten step is a different one: findings belong to the recorded step. */
export function FindingBadge({ row }: { row: StepRow }) {
  const findings = useFindingsAt(row.slot.written === null ? row.slot.origin : null);
  const [gravest] = findings;
  if (gravest === undefined) return null;
  const words = visibleText(findings.map(describeFinding).join("\n"));
  return (
    <span
      className={`ts-inline ts-caption ${classes.badge}`}
      data-severity={gravest.severity}
      role="img"
      title={words}
      aria-label={`${SEVERITY_WORDS[gravest.severity]}: ${words}`}
    >
      <SeverityIcon severity={gravest.severity} />
      {findings.length > 1 && findings.length}
    </span>
  );
}

/** The findings as sentences, on the card under the pointer or with the focus. */
export function FindingLines({ row }: { row: StepRow }) {
  const findings = useFindingsAt(row.slot.written === null ? row.slot.origin : null);
  if (findings.length === 0) return null;
  return (
    <ul className={classes.lines} aria-label={`Findings at step ${row.index}`}>
      {findings.map((found) => (
        <li
          key={`${found.detector}${found.field}${found.message}`}
          className={`ts-row ${classes.line}`}
        >
          <SeverityIcon severity={found.severity} />
          <span>{visibleText(describeFinding(found))}</span>
          {found.field !== "" && (
            <code className={`ts-caption ${classes.field}`}>{visibleText(found.field)}</code>
          )}
          <KeepFinding finding={found} />
        </li>
      ))}
    </ul>
  );
}
