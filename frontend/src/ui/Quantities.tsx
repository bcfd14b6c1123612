/** Numbers and times with their unit; the exact value shows on hover. */
import { useEffect, useState } from "react";

import {
  formatCost,
  formatExact,
  formatMoment,
  formatRelative,
  formatSeconds,
  formatTokens,
} from "@/lib/format";

interface QuantityProps {
  value: number | null | undefined;
}

export function Tokens({ value }: QuantityProps) {
  return <Exact text={formatTokens(value)} exact={exactly(value, "tokens")} />;
}

export function Cost({ value }: QuantityProps) {
  const known = value !== null && value !== undefined;
  return <Exact text={formatCost(value)} exact={known ? `$${value}` : "Cost unknown"} />;
}

/** `value` in seconds. */
export function Duration({ value }: QuantityProps) {
  return <Exact text={formatSeconds(value)} exact={exactly(value, "seconds")} />;
}

export function Count({ value }: QuantityProps) {
  return <Exact text={value === null || value === undefined ? "–" : formatExact(value)} exact="" />;
}

export function RelativeTime({ value }: { value: string | null | undefined }) {
  const now = useNow(20_000);
  if (value === null || value === undefined) return <span className="ts-number">–</span>;
  const moment = new Date(value);
  return (
    <time className="ts-number" dateTime={value} title={formatMoment(moment)}>
      {formatRelative(moment, now)}
    </time>
  );
}

function Exact({ text, exact }: { text: string; exact: string }) {
  return (
    <span className="ts-number" {...(exact === "" ? {} : { title: exact })}>
      {text}
    </span>
  );
}

function exactly(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? "Unknown" : `${formatExact(value)} ${unit}`;
}

export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
