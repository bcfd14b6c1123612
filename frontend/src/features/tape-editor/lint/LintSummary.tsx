/** How many findings the tape has, and buttons that go from one to the next. */
import { ActionIcon, Anchor } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useMemo } from "react";

import type { Finding } from "@/api/types";
import { useTapeLint } from "@/features/tape-editor/lint/LintProvider";
import classes from "@/features/tape-editor/lint/lint.module.css";
import { useTapeModel } from "@/features/tape-editor/editor";
import { countOf } from "@/lib/format";
import { useKeys, type KeyBinding } from "@/lib/keys";
import { SeverityIcon } from "@/ui/SeverityIcon";

interface LintSummaryProps {
  step: number | null;
  onSelect: (step: number) => void;
}

export function LintSummary({ step, onSelect }: LintSummaryProps) {
  const { findings, isPending, error, retry } = useTapeLint();
  const places = usePlaces(findings);
  const goTo = (by: 1 | -1) => () => {
    const next = nextPlace(places, step, by);
    if (next !== null) onSelect(next);
  };
  useFindingKeys(places, step, onSelect);
  if (error !== null) {
    return (
      <span className={`ts-inline ${classes.summary}`} role="alert">
        The linter did not respond.
        <Anchor component="button" size="xs" onClick={retry}>
          Try again
        </Anchor>
      </span>
    );
  }
  if (isPending) {
    return (
      <span className={`ts-inline ${classes.summary}`} role="status">
        Looking for problems…
      </span>
    );
  }
  const [gravest] = [...findings].sort((one, other) => rank(one) - rank(other));
  if (gravest === undefined) return null;
  const at = places.findIndex((place) => place === step);
  return (
    <span className={`ts-inline ${classes.summary}`} role="group" aria-label="Findings">
      <SeverityIcon severity={gravest.severity} />
      <span aria-live="polite" title={describeCounts(findings)}>
        {at >= 0 && `${at + 1} of ${places.length}, `}
        {countOf(findings.length, "finding")}
      </span>
      <ActionIcon
        variant="subtle"
        size="sm"
        aria-label="Previous finding"
        title="Previous finding (L)"
        onClick={goTo(-1)}
      >
        <IconChevronUp size={14} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        size="sm"
        aria-label="Next finding"
        title="Next finding (l)"
        onClick={goTo(1)}
      >
        <IconChevronDown size={14} />
      </ActionIcon>
    </span>
  );
}

/** "1 error, 2 warnings, 1 note": the most severe first. */
export function describeCounts(findings: readonly Finding[]): string {
  return SEVERITIES.flatMap(([severity, one]) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [countOf(count, one)];
  }).join(", ");
}

const SEVERITIES: readonly [Finding["severity"], string][] = [
  ["error", "error"],
  ["warning", "warning"],
  ["info", "note"],
];

const rank = ({ severity }: Finding) => ["error", "warning", "info"].indexOf(severity);

/** The places of the edited tape that have findings, each once, in order. */
function usePlaces(findings: readonly Finding[]): readonly number[] {
  const { slots } = useTapeModel();
  return useMemo(() => {
    if (findings.length === 0) return [];
    const found = new Set(findings.map(({ position }) => position));
    return slots.flatMap(({ origin, written }, index) =>
      origin !== null && written === null && found.has(origin) ? [index] : [],
    );
  }, [slots, findings]);
}

function useFindingKeys(
  places: readonly number[],
  step: number | null,
  onSelect: (step: number) => void,
): void {
  const bindings = useMemo((): KeyBinding[] => {
    const goTo = (by: 1 | -1) => () => {
      const next = nextPlace(places, step, by);
      if (next !== null) onSelect(next);
    };
    if (places.length === 0) return [];
    return [
      { keys: "l", label: "Next finding", run: goTo(1) },
      { keys: "L", label: "Previous finding", run: goTo(-1) },
    ];
  }, [places, step, onSelect]);
  useKeys("Linter", bindings);
}

/** The next or previous place from a step, wrapping around at the ends. */
export function nextPlace(
  places: readonly number[],
  step: number | null,
  by: 1 | -1,
): number | null {
  const next =
    by === 1
      ? (places.find((place) => step === null || place > step) ?? places[0])
      : (places.findLast((place) => step === null || place < step) ?? places.at(-1));
  return next ?? null;
}
