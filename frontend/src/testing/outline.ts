/** Outline rows in columns, as the server sends them. */
import type { OutlinePage, OutlineRow } from "@/api/types";

export function toColumns(rows: readonly OutlineRow[], start = 0, count = Infinity): OutlinePage {
  const page = rows.slice(start, start + count);
  const calls = [...new Map(page.map((row) => [row.call_id, row])).values()].filter(
    (row) => row.call_id !== null,
  );
  const numbered = <T>(read: (row: OutlineRow) => T): [T[], number[]] => {
    const names = [...new Set(page.map(read))];
    return [names, page.map((row) => names.indexOf(read(row)))];
  };
  const [kinds, kind] = numbered((row) => row.kind);
  const [families, family] = numbered((row) => row.family);
  const [writers, writer] = numbered((row) => row.writer);
  const [agents, agent] = numbered((row) => row.agent);
  const [nodes, node] = numbered((row) => row.node);
  const [prompts, prompt] = numbered((row) => row.prompt_id);
  const [lanes, lane] = numbered((row) => row.lane);
  return {
    start,
    step_count: rows.length,
    ...{ kinds, families, writers, agents, nodes, prompts, lanes },
    ...{ kind, family, writer, agent, node, prompt, lane },
    call: page.map((row) => calls.findIndex(({ call_id }) => call_id === row.call_id)),
    gist: page.map((row) => row.gist),
    lines: page.map(() => 1),
    is_error: page.map((row) => Number(row.is_error)),
    is_own: page.map((row) => Number(row.is_own)),
    calls: {
      id: calls.map((row) => row.call_id ?? ""),
      input_tokens: calls.map((row) => row.input_tokens),
      cache_read_tokens: calls.map((row) => row.cache_read_tokens),
      output_tokens: calls.map((row) => row.output_tokens),
      cost_micro_usd: calls.map((row) => row.cost_micro_usd),
      duration_seconds: calls.map((row) => row.duration_seconds),
    },
  };
}
