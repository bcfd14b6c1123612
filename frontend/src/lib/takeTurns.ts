/** Lets a few of many tasks run at a time, in the order in which they were asked for. */

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
