/** The severity of a finding: a shape and a color, so that neither carries it alone. */
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconInfoCircle,
  type Icon,
} from "@tabler/icons-react";

export type Severity = "error" | "warning" | "info";

const ICONS: Record<Severity, Icon> = {
  error: IconAlertOctagon,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
};
const COLORS: Record<Severity, string> = {
  error: "var(--ts-bad)",
  warning: "var(--ts-warn)",
  info: "var(--mantine-color-dimmed)",
};

export const SEVERITY_WORDS: Record<Severity, string> = {
  error: "Error",
  warning: "Warning",
  info: "Hint",
};

export function SeverityIcon({ severity, size = 14 }: { severity: Severity; size?: number }) {
  const Drawn = ICONS[severity];
  return <Drawn size={size} stroke={2} color={COLORS[severity]} aria-hidden="true" />;
}
