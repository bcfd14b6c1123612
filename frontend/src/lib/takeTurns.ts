/** Runs a limited number of tasks at a time, in the order in which they were requested. */

export type TakeTurn = <T>(task: () => Promise<T>) => Promise<T>;

export function takeTurns(limit: number): TakeTurn {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
