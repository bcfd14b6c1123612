import { formatRough } from "@/lib/format";

interface Pace {
  startedAt: string | null;
  done: number;
  total: number | null;
}

/** Text to put after a count, estimated from the pace so far; empty before a twentieth is done. */
export function timeLeft({ startedAt, done, total }: Pace, now: Date): string {
  if (startedAt === null || total === null || done === 0 || done >= total) return "";
  if (done < total / 20) return "";
  const elapsed = (now.getTime() - new Date(startedAt).getTime()) / 1000;
  return `, about ${formatRough((elapsed * (total - done)) / done)} left`;
}
