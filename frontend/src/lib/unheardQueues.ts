/** "Queued: no worker listens to agents and train"; `what` is who waits, "2 jobs queued". */
export function unheardWords(queues: readonly string[], what = "Queued"): string {
  return `${what}: no worker listens to ${queues.join(" and ")}`;
}
